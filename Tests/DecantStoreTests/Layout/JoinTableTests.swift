import DecantModel
import DecantStore
import Testing

/// core-data-sqlite.md 4.
@Suite("Join tables")
struct JoinTableTests {
  private func pair(_ one: String, _ other: String, _ name: String, _ inverse: String) -> [Entity] {
    [
      Layouts.entity(one, [], [Layouts.toMany(name, other, inverse)]),
      Layouts.entity(other, [], [Layouts.toMany(inverse, one, name)]),
    ]
  }

  @Test("4.1, 4.2, 4.7: named by the end on the lower number, with an index from 637 on")
  func plain() throws {
    let entities = pair("Conversation", "Label", "labels", "conversations")
    let table =
      "CREATE TABLE Z_1LABELS ( Z_1CONVERSATIONS INTEGER, Z_2LABELS INTEGER, PRIMARY KEY (Z_1CONVERSATIONS, Z_2LABELS) )"
    let index = "CREATE INDEX Z_1LABELS_Z_2LABELS_INDEX ON Z_1LABELS (Z_2LABELS, Z_1CONVERSATIONS)"
    #expect(
      try Layouts.statements(entities).prefix(4).dropFirst() == [
        table, "CREATE TABLE ZLABEL ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )", index,
      ])
    #expect(try Layouts.statements(entities, framework: 641).contains(index))
    #expect(try !Layouts.statements(entities, framework: 519).contains(index))
    #expect(try Layouts.statements(entities, framework: 519).contains(table))
  }

  @Test("4.3: the second of one name to one entity takes a digit, by the names of the inverses")
  func clash() throws {
    let entities = [
      Layouts.entity("Reaction", [], [Layouts.toMany("users", "User", "reactions")]),
      Layouts.entity("AMessage", [], [Layouts.toMany("users", "User", "systemMessages")]),
      Layouts.entity(
        "User", [],
        [
          Layouts.toMany("reactions", "Reaction", "users"),
          Layouts.toMany("systemMessages", "AMessage", "users"),
        ]),
    ]
    let statements = try Layouts.statements(entities)
    #expect(
      statements.contains(
        "CREATE TABLE Z_1USERS ( Z_1SYSTEMMESSAGES INTEGER, Z_3USERS1 INTEGER, PRIMARY KEY (Z_1SYSTEMMESSAGES, Z_3USERS1) )"
      ))
    #expect(
      statements.contains(
        "CREATE TABLE Z_2USERS ( Z_2REACTIONS INTEGER, Z_3USERS INTEGER, PRIMARY KEY (Z_2REACTIONS, Z_3USERS) )"
      ))
  }

  /// An entity with both ends, and attributes up to that number of properties.
  private func own(_ name: String, _ one: String, _ other: String, attributes: [String] = []) -> Entity {
    Layouts.entity(
      name, attributes.map { ($0, .string) },
      [Layouts.toMany(one, name, other), Layouts.toMany(other, name, one)])
  }

  @Test("4.4: both ends on one entity, in the hash order of all its properties' names")
  func hashOrder() throws {
    let todo = own(
      "TodoItem", "blockedBy", "blocking", attributes: ["date", "done", "name", "notes", "project", "repeats"])
    #expect(
      try Layouts.statement("CREATE TABLE Z_2BLOCKING", [Layouts.entity("Project"), todo])
        == "CREATE TABLE Z_2BLOCKING ( Z_2BLOCKEDBY INTEGER, Z_2BLOCKING INTEGER, PRIMARY KEY (Z_2BLOCKEDBY, Z_2BLOCKING) )"
    )
    // One more attribute can change the name of the table: the rule's point.
    let names = try (0..<40).map { count in
      let entity = own("E", "previous", "next", attributes: (0..<count).map { "a\($0)" })
      return try #require(Layouts.layout([entity]).joinTables.first).name
    }
    #expect(Set(names) == ["Z_1PREVIOUS", "Z_1NEXT"])
  }

  @Test("4.4: an entity of more properties than the table of buckets has is not guessed")
  func tooManyProperties() throws {
    let entity = own("E", "a", "b", attributes: (0..<600).map { "x\($0)" })
    let error = #expect(throws: LayoutError.self) { try Layouts.statements([entity]) }
    #expect(
      error?.description.contains("E.a: which end names the join table on an entity of 602 properties") == true)
    #expect(error?.description.contains("reference") == true)
    let evidence = ["Z_1B": ["Z_1A", "Z_1B"]]
    #expect(
      try Layouts.statements([entity], evidence: evidence).contains {
        $0.hasPrefix("CREATE TABLE Z_1B ( Z_1A ")
      })
  }

  @Test("4.6: an ordered end has its place in a column of its own")
  func ordered() throws {
    let entities = [
      Layouts.entity("A", [], [Layouts.toMany("bs", "B", "as", isOrdered: true)]),
      Layouts.entity("B", [], [Layouts.toMany("as", "A", "bs", isOrdered: true)]),
    ]
    #expect(
      try Layouts.statement("CREATE TABLE Z_1BS", entities)
        == "CREATE TABLE Z_1BS ( Z_1AS INTEGER, Z_2BS INTEGER, Z_FOK_1AS INTEGER, Z_FOK_2BS INTEGER, PRIMARY KEY (Z_1AS, Z_2BS) )"
    )
  }

  @Test("4.8: an end with subentities is not guessed, and settled by a genuine store's table")
  func families() throws {
    let entities =
      pair("A", "B", "bs", "as") + [Layouts.entity("C", below: "B")]
    let error = #expect(throws: LayoutError.self) { try Layouts.statements(entities) }
    #expect(
      error?.description
        == "how Core Data stores this is not known for certain: A.bs: which end names the join table where an entity with "
        + "subentities takes part. Put a genuine store of this model version into the family's folder “reference”, it "
        + "settles the names")
    let evidence = ["Z_2AS": ["Z_2BS", "Z_1AS"]]
    let layout = try Layouts.layout(entities, evidence: evidence)
    #expect(layout.joinTables.map(\.name) == ["Z_2AS"])
    #expect(layout.unsettled.isEmpty)
    #expect(try Layouts.layout(entities, evidence: [:]).unsettled.isEmpty == false)
  }

  @Test("a relationship that is its own inverse, and inverses that don't name each other, are not guessed")
  func oddInverses() throws {
    let own = [Layouts.entity("A", [], [Layouts.toMany("friends", "A", "friends")])]
    #expect(
      #expect(throws: LayoutError.self) { try Layouts.statements(own) }?.description.contains(
        "A.friends: how the join table of a relationship that is its own inverse is laid out") == true)
    let crossed = [
      Layouts.entity("A", [], [Layouts.toMany("x", "B", "y"), Layouts.toMany("z", "B", "y")]),
      Layouts.entity("B", [], [Layouts.toMany("y", "A", "x")]),
    ]
    #expect(
      #expect(throws: LayoutError.self) { try Layouts.statements(crossed) }?.description.contains(
        "A.z: which join table it has, because its inverse “B.y” names another inverse") == true)
  }
}
