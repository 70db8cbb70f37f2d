import DecantPolicies
import Foundation
import Testing

@testable import DecantMigration

@Suite("Composite attributes: mapping models and policies") struct CompositeMappingTests {
  private static let old = "Note\n author {id:Int32?,name:String?}?\n n Int16?"
  private static let rows = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZID, ZNAME, ZN) VALUES
      (1, 1, 1, 7, 'Ana', 1), (2, 1, 1, NULL, 'Luis', 2), (3, 1, 1, NULL, NULL, 3);
    """

  private func shop(_ new: String, _ mapping: String) throws -> Workshop {
    let shop = try Workshop(Self.old, new)
    try shop.map("{ source: \"Note\", destination: \"Note\", \(mapping) }")
    try shop.makeStore(Self.rows)
    return shop
  }

  @Test func whatIsNotNamedIsMappedElementByElement() throws {
    let shop = try shop(Self.old + "\n s String?", "attributes: { s: \"$source.author.name\" }")
    #expect(
      try shop.lines() == [
        "Note#1 author.id=7 author.name='Ana' n=1 s='Ana'", "Note#2 author.name='Luis' n=2 s='Luis'",
        "Note#3 n=3",
      ])
  }

  @Test func aFilterAndAnExpressionReachIntoElements() throws {
    let shop = try shop(
      "Note\n n Int64?", "filter: \"author.id != nil\", attributes: { n: \"$source.author.id + 1\" }")
    #expect(try shop.lines() == ["Note#1 n=8"])
  }

  @Test func theWholeIsSetByAnotherComposite() throws {
    let shop = try shop(
      "Note\n writer {id:Int64?,name:String?,more:String?}?",
      "attributes: { writer: \"$source.author\", \"writer.more\": \"'x'\" }")
    #expect(
      try shop.lines() == [
        "Note#1 writer.id=7 writer.more='x' writer.name='Ana'", "Note#2 writer.more='x' writer.name='Luis'",
        "Note#3 writer.more='x'",
      ])
  }

  @Test func anElementThatIsNotThereIsAnErrorThatNamesTheOnesThatAre() throws {
    let shop = try shop("Note\n s String?", "attributes: { s: \"$source.author.nane\" }")
    let failure = try shop.failure()
    #expect(
      "\(failure)".contains("has no property “author.nane”") && "\(failure)".contains("author.name"),
      "\(failure)")
  }

  /// Reads a composite attribute and sets another, each as a dictionary.
  final class Turning: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      let made = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance]
      ).first
      let author = sInstance.value(forKey: "author") as? [String: Any]
      made?.setValue(
        author.map { ["name": ($0["name"] as? String ?? "") + "!"] as [String: Any] }, forKey: "writer")
      let again = made?.value(forKey: "writer") as? [String: Any]
      made?.setValue("\(author?.count ?? 0) \(again?.count ?? 0)", forKey: "s")
    }
  }

  @Test func aPolicyHasDictionaries() throws {
    var shop = try Workshop(Self.old, "Note\n writer {id:Int64?,name:String?}?\n s String?")
    shop.policies.add(Turning.self)
    try shop.map(
      "{ source: \"Note\", destination: \"Note\", policy: \"Turning\", attributes: { writer: \"$source.author\" } }"
    )
    try shop.makeStore(Self.rows)
    #expect(
      try shop.lines() == [
        "Note#1 s='2 1' writer.name='Ana!'", "Note#2 s='1 1' writer.name='Luis!'", "Note#3 s='0 0'",
      ])
  }

  /// Sets an element that the composite attribute doesn't have.
  final class Slipping: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance]).first?
        .setValue(["nane": "x"], forKey: "author")
    }
  }

  @Test func aKeyThatTheCompositeDoesNotHaveEndsTheMigrationByName() throws {
    var shop = try shop(Self.old + "\n s String?", "policy: \"Slipping\"")
    shop.policies.add(Slipping.self)
    #expect("\(try shop.failure())".contains("author.nane"))
  }
}
