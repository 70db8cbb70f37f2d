import DecantModel
import DecantSQLite
import DecantStore
import DecantTestSupport
import Foundation

/// The source store of a workload: a store of its first version with random content from a seed.
struct WorkloadSource {
  private let store: DestinationStore
  private let layout: StoreLayout
  private var values: HostileValues

  static let uuid = "0B6E7A52-3F5C-4B0D-9B34-0F1D2A3B4C5D"

  /// Writes a store with that many objects.
  static func make(_ workload: Workload, objects: Int, seed: UInt64, at file: URL) throws {
    var source = try WorkloadSource(workload, seed: seed, at: file)
    try source.store.database.execute("PRAGMA synchronous=OFF; BEGIN")
    switch workload {
    case .notes: try source.notes(objects)
    case .contacts: try source.contacts(objects)
    case .events: try source.events(objects)
    case .graph: try source.graph(objects)
    }
    try source.store.database.execute("COMMIT")
    for statement in try source.store.missingIndexes() { try source.store.database.execute(statement) }
    try source.store.finish(
      metadata: StoreMetadata(uuid: uuid, entries: ["MyKey": .string("kept")]).updated(
        for: source.layout.model, framework: source.layout.framework), maxima: [:], usesWriteAheadLog: true)
  }

  private init(_ workload: Workload, seed: UInt64, at file: URL) throws {
    layout = try StoreLayout(workload.model(1), framework: FrameworkVersion(1344))
    store = try DestinationStore(at: file.path, layout: layout)
    values = HostileValues(dice: Dice(seed))
  }

  private func insert(_ entity: String, _ columns: String) throws -> SQLiteStatement {
    let marks = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
    return try store.database.prepare(
      "INSERT INTO Z\(entity.uppercased()) (Z_PK, Z_ENT, Z_OPT, \(columns)) VALUES (?, "
        + "\(layout.entityNumbers[entity] ?? 0), ?, \(marks))")
  }

  private mutating func saves() -> SQLiteValue { .integer(Int64(1 + values.dice.below(4))) }

  private mutating func notes(_ count: Int) throws {
    let insert = try insert("Nota", "ZCATEGORIA, ZCONTENIDO, ZETIQUETAS, ZFECHA")
    for key in values.keys(count) {
      try insert.run([
        .integer(key), saves(), values.category(), values.text(words: 8), values.text(words: 2), values.time(),
      ])
    }
  }

  private mutating func contacts(_ count: Int) throws {
    let insert = try insert("Contact", "ZFULLNAME, ZIDENTIFIER")
    for key in values.keys(count) {
      try insert.run([.integer(key), saves(), values.name(), values.number()])
    }
  }

  private mutating func events(_ count: Int) throws {
    let insert = try insert("Event", "ZTIMESTAMP")
    for key in values.keys(count) {
      try insert.run([.integer(key), saves(), values.time(from: HostileValues.gregorian)])
    }
  }

  /// Books with at most one author and up to four tags; some authors and tags have no book.
  private mutating func graph(_ count: Int) throws {
    let (authors, tags) = (values.keys(count * 3 / 20), values.keys(count / 20))
    let books = values.keys(count - authors.count - tags.count)
    for (entity, keys) in [("Author", authors), ("Tag", tags)] {
      let insert = try insert(entity, "ZNAME")
      for key in keys { try insert.run([.integer(key), saves(), values.text(unique: Int(key))]) }
    }
    let insert = try insert("Book", "ZTITLE, ZAUTHOR")
    let pair = try store.database.prepare("INSERT INTO Z_2TAGS (Z_2BOOKS, Z_3TAGS) VALUES (?, ?)")
    for key in books {
      let author: SQLiteValue =
        values.dice.chance(10) ? .null : .integer(authors[values.dice.below(authors.count * 9 / 10)])
      try insert.run([.integer(key), saves(), values.text(), author])
      let chosen = (0..<values.dice.below(5)).map { _ in tags[values.dice.below(tags.count * 9 / 10)] }
      for tag in Set(chosen).sorted() { try pair.run([.integer(key), .integer(tag)]) }
    }
  }
}
