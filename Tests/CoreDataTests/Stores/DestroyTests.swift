import DecantTestSupport
import Foundation
import Testing

@testable import CoreData

@Suite("destroyPersistentStore")
struct DestroyTests {
  private func destroy(_ shop: Biblioteca, _ url: URL, _ type: NSPersistentStore.StoreType = .sqlite) throws {
    try shop.coordinator(1).destroyPersistentStore(at: url, type: type, options: nil)
  }

  @Test("all files of a store are deleted, and no others", arguments: Biblioteca.Sibling.allCases)
  func all(sibling: Biblioteca.Sibling) throws {
    let shop = try Biblioteca()
    let other = try shop.makeStore("in/Otros.sqlite")
    let before = try shop.files("in")
    let url = try shop.makeStore(with: sibling)
    try Data().write(to: URL(fileURLWithPath: url.path + "-shm"))
    try shop.coordinator(1).destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil)
    #expect(try shop.files("in") == before)
    #expect(try Biblioteca.titles(other).count == 5)
    // Apps also call it if there is no store.
    try destroy(shop, url)
    try destroy(shop, shop.url("nowhere/Libros.sqlite"))
    #expect(try shop.files("in") == before)
  }

  @Test("a damaged store and an empty file are deleted, too")
  func damaged() throws {
    let shop = try Biblioteca()
    let url = try shop.makeStore()
    try Data(contentsOf: url).prefix(9000).write(to: url)
    try destroy(shop, url)
    try Data().write(to: url)
    try destroy(shop, url)
    #expect(try shop.files("in").isEmpty)
  }

  @Test(
    "a file or folder that isn't a store of the given type stays",
    arguments: ["text", "folder", "link", "xml", "sqlite as XML"])
  func foreign(kind: String) throws {
    let shop = try Biblioteca()
    let url = shop.url("in/Libros.sqlite")
    switch kind {
    case "text": try Data("un texto del usuario".utf8).write(to: url)
    case "folder": try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    case "link":
      try FileManager.default.createSymbolicLink(
        at: url, withDestinationURL: try shop.makeStore("Elsewhere.sqlite"))
    case "xml": try XMLStoreText(try shop.model(1).model, objects: "").data.write(to: url)
    default: try shop.makeStore()
    }
    let before = try shop.files("in")
    #expect(throws: CoreDataError.self) { try destroy(shop, url, kind == "sqlite as XML" ? .xml : .sqlite) }
    #expect(try shop.files("in") == before)
    if kind == "xml" {
      try destroy(shop, url, .xml)
      #expect(try shop.files("in").isEmpty)
    }
  }
}
