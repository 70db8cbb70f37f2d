import DecantTestSupport
import Foundation
import Testing

@testable import CoreData

@Suite("Metadata of store files")
struct MetadataTests {
  private func metadata(_ url: URL) throws -> [String: Any] {
    try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
  }

  private func set(_ metadata: [String: Any]?, _ url: URL) throws {
    try NSPersistentStoreCoordinator.setMetadata(metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: url)
  }

  @Test(
    "values of every kind are written and read, and the framework's keys stay",
    arguments: Biblioteca.Sibling.allCases)
  func kinds(sibling: Biblioteca.Sibling) throws {
    let shop = try Biblioteca()
    let url = try shop.makeStore(with: sibling)
    let before = try metadata(url)
    let own: [String: Any] = [
      "texto": "á🌊", "número": 42, "real": 1.5, "sí": true, "fecha": Date(timeIntervalSinceReferenceDate: 7),
      "bytes": Data([0, 1, 255]), "lista": ["a", 1, [true]] as [Any], "grupo": ["x": ["y": 2]] as [String: Any],
    ]
    try NSPersistentStoreCoordinator.setMetadata(own, type: .sqlite, at: url)
    let after = try metadata(url)
    for (key, value) in own {
      #expect(
        (after[key] as? NSObject) == (value as? NSObject) || "\(after[key] ?? "")" == "\(value)", "\(key)")
    }
    #expect(after["sí"] as? Bool == true && after["número"] as? Int == 42)
    #expect(after["bytes"] as? Data == Data([0, 1, 255]))
    let kept = after.filter { before[$0.key] != nil }
    #expect(NSDictionary(dictionary: kept) == NSDictionary(dictionary: before))
    #expect(try shop.model(1).isConfiguration(withName: nil, compatibleWithStoreMetadata: after))
    // The rows are still there, also those that were only in the log.
    let expected = sibling == .log ? "Del log" : "Dos"
    #expect(try Biblioteca.titles(url)[1] == expected)
    try set(["only": "this"], url)
    let last = try metadata(url)
    #expect(last["only"] as? String == "this" && last["texto"] == nil && last[NSStoreUUIDKey] != nil)
  }

  @Test("an app adds a key to what it has read")
  func adding() throws {
    let shop = try Biblioteca()
    let url = try shop.makeStore()
    var metadata = try metadata(url)
    metadata["lastMigration"] = "2.0"
    try set(metadata, url)
    #expect(try self.metadata(url).count == metadata.count)
    #expect(try self.metadata(url)["lastMigration"] as? String == "2.0")
    // Setting equal metadata doesn't change the file.
    let before = try shop.files("in")
    try set(metadata, url)
    #expect(try shop.files("in") == before)
    try set(nil, url)
    #expect(try self.metadata(url)["lastMigration"] == nil)
  }

  @Test("version hashes and a UUID can be set")
  func hashes() throws {
    let shop = try Biblioteca()
    let url = try shop.makeStore()
    var metadata = try metadata(url)
    metadata[NSStoreModelVersionHashesKey] = try shop.model(2).entityVersionHashesByName
    metadata[NSStoreUUIDKey] = "11111111-2222-3333-4444-555555555555"
    try set(metadata, url)
    let after = try self.metadata(url)
    #expect(try shop.model(2).isConfiguration(withName: nil, compatibleWithStoreMetadata: after))
    #expect(after[NSStoreUUIDKey] as? String == "11111111-2222-3333-4444-555555555555")
    #expect(
      after["NSStoreModelVersionHashesDigest"] as? String != metadata["NSStoreModelVersionHashesDigest"]
        as? String)
  }

  @Test("metadata that can't be set are refused with their key, and the store stays as it is")
  func refused() throws {
    let shop = try Biblioteca()
    let url = try shop.makeStore()
    let before = try shop.files("in")
    for (key, value) in [
      ("mi clave", NSObject() as Any), (NSStoreUUIDKey, "no UUID"),
      (NSStoreModelVersionHashesKey, ["Autor": Data([1])]),
      ("grupo", ["x": UUID()]),
    ] {
      let error = #expect(throws: CoreDataError.self) { try set([key: value], url) }
      #expect(error?.message.contains(key) == true, "\(error as Any)")
    }
    #expect(throws: CoreDataError.self) {
      try NSPersistentStoreCoordinator.setMetadata([:], type: .xml, at: url)
    }
    #expect(throws: CoreDataError.self) { try set([:], shop.url("in/Ninguno.sqlite")) }
    let xml = shop.url("in/Libros.xml")
    #expect(try shop.files("in") == before)
    try XMLStoreText(try shop.model(1).model, objects: "").data.write(to: xml)
    let error = #expect(throws: CoreDataError.self) {
      try NSPersistentStoreCoordinator.setMetadata(["a": 1], type: .xml, at: xml)
    }
    #expect(error?.message.contains("XML store") == true)
    #expect(
      try NSPersistentStoreCoordinator.metadataForPersistentStore(at: xml)["Favourite"] as? String
        == "blue & green")
  }

  @Test("errors of files have Cocoa's codes")
  func codes() throws {
    let shop = try Biblioteca()
    let url = try shop.makeStore()
    let missing = #expect(throws: CoreDataError.self) { try metadata(shop.url("in/Ninguno.sqlite")) }
    #expect(missing?.code == CocoaError.fileReadNoSuchFile.rawValue)
    let wrong = #expect(throws: CoreDataError.self) {
      try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSXMLStoreType, at: url)
    }
    #expect(wrong?.code == NSPersistentStoreInvalidTypeError)
    try Data("x".utf8).write(to: url)
    #expect(throws: CoreDataError.self) { try metadata(url) }
  }
}
