import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import CoreData

@Suite("The pragma journal_mode of addPersistentStore")
struct JournalModeTests {
  private func add(_ url: URL, _ shop: Biblioteca, mode: String, readOnly: Bool = false) throws {
    let options: [AnyHashable: Any] = [
      NSSQLitePragmasOption: ["journal_mode": mode], NSReadOnlyPersistentStoreOption: readOnly,
    ]
    try shop.coordinator(1).addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
  }

  @Test(
    "with DELETE the log is written into the store's file, so that apps can move the file",
    arguments: ["DELETE", "delete"])
  func delete(mode: String) throws {
    let shop = try Biblioteca()
    let url = try shop.makeLoggedStore()
    try add(url, shop, mode: mode)
    #expect(try shop.files("in").keys.filter { $0.hasPrefix("Libros") } == ["Libros.sqlite"])
    #expect(try Biblioteca.titles(url)[1] == "Del log")
    #expect(try Data(contentsOf: url)[18] == 1)
    let before = try shop.files("in")
    try add(url, shop, mode: mode)
    #expect(try shop.files("in") == before)
  }

  @Test("the file isn't changed with “WAL”, if it is opened for reading only, or if the log is another store's")
  func untouched() throws {
    let shop = try Biblioteca()
    let url = try shop.makeLoggedStore()
    let before = try shop.files("in")
    try add(url, shop, mode: "WAL")
    try add(url, shop, mode: "DELETE", readOnly: true)
    #expect(try shop.files("in") == before)
    let log = URL(fileURLWithPath: url.path + "-wal")
    try Data(repeating: 7, count: 5000).write(to: log)
    let foreign = try shop.files("in")
    #expect(throws: CoreDataError.self) { try add(url, shop, mode: "DELETE") }
    #expect(try shop.files("in") == foreign)
  }
}
