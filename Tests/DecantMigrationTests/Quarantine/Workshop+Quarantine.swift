import DecantSQLite
import Foundation
import Testing

@testable import DecantMigration

/// The quarantine of a run.
struct PutAside {
  /// One object in the list of the quarantine.
  struct Entry: Decodable, Equatable {
    struct Reason: Decodable, Equatable {
      var property: String
      var code: Int
      var words: String
    }

    var entity: String
    var key: Int
    var reasons: [Reason]
    var sources: [String]
    var links: [String: [String]]?

    /// The object as `Note#2 text 1570 < Note/p2`, followed by its former links.
    var line: String {
      let why = reasons.map { "\($0.property) \($0.code)" }.joined(separator: ", ")
      let from = sources.map { $0.split(separator: "/").suffix(2).joined(separator: "/") }
      let to = (links ?? [:]).sorted { $0.key < $1.key }.map { name, targets in
        " \(name)=\(targets.map { $0.split(separator: "/").suffix(2).joined(separator: "/") }.joined(separator: " "))"
      }
      return "\(entity)#\(key) \(why) < \(from.joined(separator: " "))\(to.joined())"
    }
  }

  private struct List: Decodable {
    var quarantine: String
    var store: String
    var objects: [Entry]
  }

  let store: LogicalStore
  let entries: [Entry]

  init(_ shop: Workshop, version: String, name: String = "Store.quarantine") throws {
    let folder = shop.output.deletingLastPathComponent()
    store = try shop.read(folder.appendingPathComponent(name + ".sqlite"), version)
    let list = try JSONDecoder().decode(
      List.self, from: Data(contentsOf: folder.appendingPathComponent(name + ".json")))
    entries = list.objects
    #expect(list.quarantine == store.metadata.uuid && list.store == Workshop.uuid)
    #expect(store.faults == [])
    #expect(store.metadata.uuid != Workshop.uuid)
    #expect(
      Set(entries.map { "\($0.entity)#\($0.key)" }) == Set(store.objects.keys.map(\.description)))
  }

  var lines: [String] { store.lines }
  var list: [String] { entries.map(\.line) }
}

extension Workshop {
  var asidePath: String {
    output.deletingLastPathComponent().appendingPathComponent("Store.quarantine.sqlite").path
  }

  /// Changes the side store directly.
  func changeAside(_ sql: String) throws { try SQLiteDatabase(asidePath, mode: .readWrite).execute(sql) }

  /// Runs a job with a quarantine, and reads the quarantine.
  func putAside(
    chunkSize: Int? = nil, version: String = "V2", name: String = "Store.quarantine"
  ) throws -> (result: Migrated, aside: PutAside) {
    let result = try migrate(chunkSize: chunkSize)
    return (result, try PutAside(self, version: version, name: name))
  }
}

extension Migrated {
  /// The last step's rows as `NoteToNote 5 = 3 + 1 + 1`: source, migrated, filtered or without value, refused.
  var fullAccounts: [String] {
    report.steps.last?.entities.map {
      "\($0.entityMapping) \($0.source) = \($0.migrated) + \($0.filtered + $0.withoutValue) + \($0.refused)"
    } ?? []
  }
}
