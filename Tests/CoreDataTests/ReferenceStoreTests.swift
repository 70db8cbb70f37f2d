import CoreData
import DecantModel
import DecantSQLite
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import PolicyShapes

@Suite("Reference stores that a program names") struct ReferenceStoreTests {
  private static func chain(_ attributes: Int) -> String {
    "Person\n previous ->> Person.next\n next ->> Person.previous\n"
      + (0..<attributes).map { " a\($0) String?\n" }.joined()
  }

  private func makeStore(_ model: NSManagedObjectModel, at url: URL, _ statements: String) throws {
    let layout = try StoreLayout(model.model, framework: FrameworkVersion(1344))
    let store = try DestinationStore(at: url.path, layout: layout)
    try store.database.execute("INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1)")
    for statement in try store.missingIndexes() { try store.database.execute(statement) }
    for statement in statements.split(separator: ";") { try store.database.execute(String(statement)) }
    try store.finish(
      metadata: StoreMetadata(uuid: UUID().uuidString, entries: [:])
        .updated(for: layout.model, framework: layout.framework), maxima: [:], usesWriteAheadLog: false)
  }

  @Test("they settle the name of a join table; without them the error names the manager's property")
  func joinTable() throws {
    let folder = try TemporaryFolder("decant-reference")
    func model(_ name: String, _ attributes: Int) throws -> NSManagedObjectModel {
      try folder.write(ModelText(Self.chain(attributes)).contents, to: "\(name).xcdatamodel/contents")
      return try #require(
        NSManagedObjectModel(contentsOf: folder.url.appendingPathComponent("\(name).xcdatamodel")))
    }
    let (one, two) = (try model("V1", 3), try model("V2", 4))
    func file(_ name: String) -> URL { folder.url.appendingPathComponent(name) }
    // The store contradicts the rule for the names, as in JoinTableTests.
    try makeStore(
      one, at: file("Store.sqlite"),
      "DROP TABLE Z_1PREVIOUS; CREATE TABLE Z_1NEXT ( Z_1PREVIOUS INTEGER, Z_1NEXT INTEGER, "
        + "PRIMARY KEY (Z_1PREVIOUS, Z_1NEXT) ); INSERT INTO Z_1NEXT VALUES (1, 2)")
    try makeStore(two, at: file("V2.sqlite"), "")
    try Data("junk".utf8).write(to: file("Junk.sqlite"))
    let result = file("Result.sqlite")
    func migrate(_ references: [URL]) throws {
      try ReferenceMigrator(references: references).migrate(
        file("Store.sqlite"), from: one, to: two, output: result)
    }
    let error = #expect(throws: CoreDataError.self) { try migrate([]) }
    let message = error?.message ?? ""
    #expect(message.contains("the manager's “referenceStores”"), "\(message)")
    #expect(!message.contains("/reference"), "\(message)")
    #expect(!message.contains(".decant-"), "\(message)")
    let junk = #expect(throws: CoreDataError.self) { try migrate([file("Junk.sqlite")]) }
    #expect(junk?.message.contains(file("Junk.sqlite").path) == true, "\(junk as Any)")
    try migrate([file("Junk.sqlite"), file("V2.sqlite")])
    let database = try SQLiteDatabase(result.path, mode: .immutable)
    #expect(try database.rows("SELECT * FROM Z_1NEXT").count == 1)
  }
}
