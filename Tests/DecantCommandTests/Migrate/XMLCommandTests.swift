import CommandSupport
import DecantModel
import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

@Suite("Commands with XML stores")
struct XMLCommandTests {
  let fixture: NotesFixture

  init() throws { fixture = try NotesFixture() }

  /// A store of version “Notes”, with a note and a tag.
  private func store(hasHashes: Bool = true) throws -> String {
    var text = XMLStoreText(
      try fixture.model(), next: 9,
      objects: """
        <object type="NOTE" id="z7"><attribute name="date" type="date">1.00000000000000000000</attribute>
        <relationship name="tags" type="0/0" destination="TAG" idrefs="z8"></relationship></object>
        <object type="TAG" id="z8"><attribute name="name" type="string">a</attribute>
        <relationship name="notes" type="0/0" destination="NOTE" idrefs="z7"></relationship></object>
        """)
    if !hasHashes { text.metadata = "" }
    return try fixture.folder.write(text.text, to: "Store.xml").path
  }

  @Test("inspect counts the objects, names the version, and says what a migration makes of the store")
  func inspect() throws {
    let store = try store()
    let run = Captured(["inspect", store, "--models", fixture.catalogue])
    #expect(run.code == 0 && run.messages.isEmpty)
    for line in [
      "Kind         XML store (NSXMLStoreType)", "Core Data    framework version 407 (before iOS 9)",
      "Model        “Notes” of family “Notes”", "Last number  9", "NOTE          1", "TAG           1",
      "NOTE.tags              1", "  Favourite  blue & green",
    ] { #expect(run.lines.contains(line), "\(line)\n\(run.output)") }
    #expect(run.output.contains("NSSQLiteStoreType") && !run.output.contains("Warnings"))
    #expect(run.lines.allSatisfy { $0.count <= 80 || $0.contains(store) }, "\(run.output)")
    #expect(try fixture.names() == ["Models", "Store.xml"])
  }

  @Test("inspect shows a store of Mac OS X 10.4, also as JSON, and plan refuses it")
  func tiger() throws {
    let store = try store(hasHashes: false)
    #expect(Captured(["inspect", store]).output.contains("as in stores of Mac OS X 10.4"))
    let run = Captured(["inspect", store, "--json", "--models", fixture.catalogue])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(
      object.keys.sorted() == [
        "applicationMetadata", "bytes", "entities", "framework", "frameworkSystem", "lastNumber", "model",
        "oddities",
        "path", "references",
        "storeType", "uuid", "versionHashes", "versionIdentifiers", "warnings",
      ])
    #expect(object["storeType"] as? String == "XML" && object["model"] is NSNull)
    let plan = Captured(["plan", store, "--models", fixture.catalogue])
    #expect(plan.code == 65)
    #expect(plan.messages.contains("XML store without version hashes, as Mac OS X 10.4"), "\(plan.messages)")
  }

  @Test("plan, migrate and verify accept an XML store, and verify finds later changes of the result")
  func migrate() throws {
    let store = try store()
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    let plan = Captured(["plan", store, "--models", fixture.catalogue])
    #expect(
      plan.code == 0 && plan.output.contains("XML store, and the new store is an SQLite store"),
      "\(plan.output)")
    let output = fixture.folder.path("New.sqlite")
    let run = Captured(["migrate", store, "--models", fixture.catalogue, "--output", output, "--json"])
    #expect(run.code == 0 && run.output.contains("\"storeType\": \"XML\""), "\(run.output)")
    let verify = Captured(["verify", store, output, "--models", fixture.catalogue])
    #expect(verify.code == 0 && verify.output.hasPrefix("Equal."), "\(verify.output)\(verify.messages)")
    do {
      let database = try SQLiteDatabase(output, mode: .readWrite)
      try database.execute("PRAGMA journal_mode=DELETE; UPDATE ZNOTE SET ZMOMENT = 2")
    }
    #expect(Captured(["verify", store, output, "--models", fixture.catalogue, "--quiet"]).code == 65)
    #expect(Captured(["verify", store, store, "--models", fixture.catalogue, "--quiet"]).code == 65)
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
  }

  @Test("a store that has the target version is copied unchanged")
  func current() throws {
    let store = try store()
    let output = fixture.folder.path("Copy.xml")
    let run = Captured([
      "migrate", store, "--models", fixture.catalogue, "--output", output, "--to", "Notes",
    ])
    #expect(run.code == 0 && run.output.contains("stays an XML"), "\(run.output)")
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: output)) == Data(contentsOf: URL(fileURLWithPath: store)))
    let verify = ["verify", store, output, "--models", fixture.catalogue, "--to", "Notes"]
    let same = Captured(verify)
    #expect(
      same.code == 0 && same.output == "Equal: the XML store was delivered unchanged.\n",
      "\(same.output)\(same.messages)")
    try (Data(contentsOf: URL(fileURLWithPath: output)) + Data("\n".utf8)).write(
      to: URL(fileURLWithPath: output))
    let other = Captured(verify)
    #expect(
      other.code == 65 && other.output.contains("isn't an exact copy"), "\(other.output)\(other.messages)")
  }
}
