import DecantSQLite

@testable import DecantEngine
@testable import DecantPasses

#if DECANT_INVARIANTS
  import DecantMapping
  import DecantStore
  import DecantTestSupport
  import PredicateFormat
  import Testing

  @testable import DecantMigration

  /// The tables of a step's associations, with each possible contradiction in them.
  @Suite("Invariants of associations") struct AssociationInvariantsTests {
    private let plan: PassPlan
    private let database: SQLiteDatabase
    private let shop: Workshop

    /// Notes 1, 2 and 4 have destination notes.
    ///
    /// A block gives them tags 1 and 2, and a run gives note 2 the tag 3.
    init() throws {
      shop = try Workshop("Note\n text String?\nTag\n text String?", "Note\n text String?\nTag\n text String?")
      let layout = try StoreLayout(try shop.model("V2"), framework: .current)
      let mapping = { (name: String, target: String, unique: FormatExpression?) in
        EntityMapping(
          name: name, type: .transform, sourceEntityName: "Note", destinationEntityName: target,
          uniqueBy: unique)
      }
      let text = try FormatExpression(parsing: "$source.text")
      let model = MappingModel(
        name: "Step", origin: .inferred,
        entityMappings: [
          mapping("Notes", "Note", nil), mapping("Blocks", "Tag", text), mapping("Rows", "Tag", text),
        ])
      plan = try passPlan(model, shop)
      database = try DestinationStore(
        at: shop.folder.path("working.sqlite"), layout: layout, workTables: Associations.workTables
      ).database
      try database.execute(
        """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (5, 1, 1);
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1), (3, 2, 1);
        INSERT INTO Z_DECANT_RUNS VALUES (1, 1, 2, 1), (1, 4, 1, 5), (3, 2, 1, 3);
        INSERT INTO Z_DECANT_SHARED VALUES (2, 1, 3, '[1,2,null,1]');
        INSERT INTO Z_DECANT_VALUES VALUES (2, 'a', 1, 1), (2, 'b', 2, 2), (3, 'c', 3, 2);
        INSERT INTO Z_DECANT_KEYS VALUES (1, 6), (2, 4);
        """)
    }

    private func findings(isBySets: Bool = true) throws -> [String] {
      try AssociationInvariants(plan, isBySets: isBySets, in: database).findings()
    }

    @Test func nothingIsFoundWhereAllHolds() throws {
      #expect(try findings() == [])
      #expect(try findings(isBySets: false) == [])
    }

    @Test(arguments: [
      ("UPDATE Z_DECANT_RUNS SET length = 0 WHERE first = 4", "runs without a length or a key (1)"),
      (
        "UPDATE Z_DECANT_RUNS SET length = 4 WHERE mapping = 1 AND first = 1",
        "runs over the same source keys (1)"
      ),
      ("UPDATE Z_DECANT_SHARED SET objects = 4", "blocks that count their objects wrongly (1)"),
      ("INSERT INTO Z_DECANT_SHARED VALUES (2, 4, 1, '[2]')", "blocks over the same source keys (1)"),
      ("DELETE FROM ZNOTE WHERE Z_PK = 2", "runs of “Notes” with fewer objects than their length (1)"),
      (
        "UPDATE Z_DECANT_RUNS SET destination = 2 WHERE first = 4",
        "objects of ZNOTE in several runs (1)"
      ),
      ("DELETE FROM ZTAG WHERE Z_PK = 3", "values of “Rows” without an object (1)"),
      (
        "UPDATE Z_DECANT_SHARED SET destinations = '[1,2,null,3]'",
        "shared objects of “Blocks” without a value (1)"
      ),
      (
        "UPDATE Z_DECANT_RUNS SET destination = 1 WHERE mapping = 3",
        "shared objects of “Rows” without a value (1)"
      ),
      ("UPDATE Z_DECANT_KEYS SET next = 5 WHERE root = 1", "keys of ZNOTE that will be given out again (1)"),
    ])
    func eachContradictionIsFound(change: String, finding: String) throws {
      try database.execute(change)
      let found = try findings()
      #expect(found.contains(finding), "\(found)")
    }

    @Test func whatPoliciesMayDoIsNoContradiction() throws {
      try database.execute(
        "DELETE FROM ZNOTE WHERE Z_PK = 2; UPDATE Z_DECANT_RUNS SET destination = 2 WHERE first = 4")
      #expect(try findings(isBySets: false) == [])
    }
  }
#endif
