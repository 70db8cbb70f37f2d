import DecantPolicies
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

/// Reports count what became of each source object, and the numbers add up.
///
/// `Workshop` checks the sums in every migration of every test.
@Suite("Numbers of entity mappings in reports") struct AccountTests {
  private static let models = [
    "Note\n kind String?\n text String?",
    "Note\n text String?\nKind\n name String? max 3",
  ]
  private static let rows = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND, ZTEXT) VALUES (1, 1, 1, NULL, 'a'), (2, 1, 1, 'x', 'b'),
      (4, 1, 1, 'y', 'c'), (5, 1, 1, 'x', 'd'), (6, 1, 1, 'long', 'e'), (8, 1, 1, 'long', 'f'), (9, 1, 1, 'x', 'no'),
      (11, 1, 1, NULL, 'no');
    """
  private static let report = "validation: \"report\","
  private static let kinds =
    #"{ name: "Kinds", source: "Note", destination: "Kind", filter: "text != 'no'", "#
    + #"uniqueBy: "$source.kind", attributes: { name: "$source.kind" } }"#

  private static func shop(_ further: String = report, _ policy: EntityMigrationPolicy.Type? = nil) throws
    -> Workshop
  {
    var shop = try Workshop(models)
    if let policy { shop.policies.add(policy) }
    let note =
      policy.map { #"{ source: "Note", destination: "Note", policy: "\#($0)" }"# }
      ?? #"{ source: "Note", destination: "Note" }"#
    try shop.map("Step", "\(kinds), \(note)", further: further)
    try shop.makeStore(rows)
    return shop
  }

  private static func kinds(_ report: MigrationReport) throws -> MigrationReport.EntityRows {
    try #require(report.steps.last?.entities.first { $0.entityMapping == "Kinds" })
  }

  /// The kind `x` has two notes, `y` one and `long` two.
  ///
  /// One note has no kind, and the filter excludes two.
  private static let expected = MigrationReport.EntityRows(
    entityMapping: "Kinds", pass: "Step", source: 8, made: 3, shared: 2, withoutValue: 1, filtered: 2)

  @Test("objects made, shared, without a value and filtered are counted separately", arguments: [nil, 1, 2, 5])
  func toldApart(size: Int?) throws {
    // `migrate` also runs row by row and compares both results.
    #expect(try Self.kinds(Self.shop().migrate(chunkSize: size).report) == Self.expected)
  }

  @Test("a plan counts filtered objects and objects without a value separately")
  func planned() throws {
    let shop = try Self.shop()
    let plan = try Migration.plan(shop.job())
    #expect(plan.steps[0].entityMappings.map(\.filtered) == [2, nil])
    #expect(plan.steps[0].entityMappings.map(\.withoutValue) == [1, nil])
  }

  @Test("the JSON has the documented keys, and “migrated” is made + shared")
  func json() throws {
    let data = try JSONEncoder().encode(Self.expected)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(
      Set(object.keys) == [
        "entityMapping", "pass", "source", "migrated", "made", "shared", "withoutValue", "filtered", "refused",
        "leftOut", "further",
      ])
    #expect(object["migrated"] as? Int == 5)
    #expect(try JSONDecoder().decode(MigrationReport.EntityRows.self, from: data) == Self.expected)
  }

  @Test("all source objects of an object in quarantine are refused", arguments: [nil, 1, 3])
  func quarantined(size: Int?) throws {
    let report = try Self.shop("validation: \"quarantine\",").migrate(chunkSize: size).report
    var expected = Self.expected
    (expected.made, expected.shared, expected.refused) = (2, 1, 2)
    #expect(try Self.kinds(report) == expected)
    #expect(report.steps[0].quarantine?.objects == 1)
  }

  @Test("a run that is stopped anywhere and continued has the same numbers")
  func resumed() throws {
    for further in [Self.report, "validation: \"quarantine\","] {
      let whole = try Self.shop(further).migrate(chunkSize: 2).report.steps.map(\.entities)
      for stop in 1...60 {
        let shop = try Self.shop(further)
        let looks = Looks()
        do {
          _ = try Migration.run(shop.job(chunkSize: 2), shouldStop: { looks.count() >= stop })
        } catch {
          #expect(error.reason == .stopped)
          let report = try shop.finished(try Migration.run(shop.job(chunkSize: 2))).report
          #expect(report.steps.map(\.entities) == whole, "after \(stop) looks")
          continue
        }
        break
      }
    }
  }

  @Test("each pass has its own numbers")
  func passes() throws {
    let shop = try Workshop(Self.models)
    try shop.map("One", Self.kinds, further: "order: 1, \(Self.report)")
    try shop.map(
      "Two", #"{ source: "Note", destination: "Note", filter: "kind == 'x'" }"#, further: "order: 2,")
    try shop.makeStore(Self.rows)
    let entities = try shop.migrate().report.steps[0].entities
    #expect(entities.map(\.pass) == ["One", "Two"])
    #expect(entities.map(\.made) == [3, 3] && entities.map(\.filtered) == [2, 5])
    #expect(entities.map(\.shared) == [2, 0] && entities.map(\.withoutValue) == [1, 0])
  }

  // MARK: Policies

  /// Makes two notes from `b`, none from `c`, and one from each other object except `d` and `e`.
  ///
  /// `d` and `e` share the first note of `b`.
  private final class Several: EntityMigrationPolicy {
    private var first: ManagedObject?

    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      func make(_ text: String) -> ManagedObject {
        let note = manager.destinationContext.insertObject(ofEntity: "Note")
        note.setValue(text, forKey: "text")
        manager.associate(sourceInstance: sInstance, withDestinationInstance: note, for: mapping)
        return note
      }
      switch sInstance.value(forKey: "text") as? String {
      case "b":
        first = make("first")
        _ = make("second")
      case "c": break
      case "d", "e":
        if let first {
          manager.associate(sourceInstance: sInstance, withDestinationInstance: first, for: mapping)
        }
      default: try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      }
    }
  }

  @Test(
    "the numbers show that a policy makes several objects or none, or shares an object",
    arguments: [nil, 1, 3])
  func policy(size: Int?) throws {
    let shop = try Self.shop(Self.report, Several.self)
    let report = try Migration.run(shop.job(chunkSize: size))
    let notes = try #require(report.steps[0].entities.last)
    #expect(
      notes
        == .init(
          entityMapping: "NoteToNote", pass: "Step", source: 8, made: 5, shared: 2, leftOut: 1, further: 1))
    let store = try shop.read(shop.output, "V2")
    #expect(store.lines.filter { $0.hasPrefix("Note#") }.count == notes.made + notes.further)
    #expect(try Self.kinds(report) == Self.expected)
  }
}
