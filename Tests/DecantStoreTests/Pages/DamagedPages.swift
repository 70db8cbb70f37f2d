import DecantSQLite
import Foundation

/// The bytes of a database file, whose pages tests damage.
struct DamagedPages {
  var data: Data
  let size: Int
  private let roots: [String: Int]
  private let names: [String: String]

  /// - Parameter rootNames: The names that tests use for trees, with their names in the file.
  init(_ path: String, rootNames: [String: String] = [:]) throws {
    data = try Data(contentsOf: URL(fileURLWithPath: path))
    let database = try SQLiteDatabase(path, mode: .immutable)
    names = rootNames
    size = try database.integer("PRAGMA page_size")
    let rows = try database.rows("SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0")
    roots = Dictionary(
      rows.compactMap { row in
        if case .text(let name) = row[0], let root = row[1].integer { (name, Int(root)) } else { nil }
      }, uniquingKeysWith: { first, _ in first })
  }

  var count: Int { data.count / size }

  func short(_ place: Int) -> Int { Int(data[place]) << 8 | Int(data[place + 1]) }
  func word(_ place: Int) -> Int { short(place) << 16 | short(place + 2) }

  mutating func setShort(_ place: Int, _ value: Int) {
    data[place] = UInt8(truncatingIfNeeded: value >> 8)
    data[place + 1] = UInt8(truncatingIfNeeded: value)
  }

  mutating func setWord(_ place: Int, _ value: Int) {
    setShort(place, value >> 16)
    setShort(place + 2, value)
  }

  func start(_ page: Int) -> Int { (page - 1) * size }

  func root(_ name: String) -> Int { roots[names[name] ?? name] ?? 0 }

  /// The offsets at which an inner page has the numbers of its children.
  func children(of page: Int) -> [Int] {
    let start = start(page)
    return (0..<short(start + 3)).map { start + short(start + 12 + 2 * $0) } + [start + 8]
  }

  /// The leaf pages of a tree with any number of levels.
  func leaves(of page: Int) -> [Int] {
    guard [2, 5].contains(data[start(page)]) else { return [page] }
    return children(of: page).flatMap { leaves(of: word($0)) }
  }

  /// The pages with that type of entry in the pointer map, and the offsets of the entries.
  ///
  /// The map must be one page.
  func entries(type: UInt8) -> [(page: Int, place: Int)] {
    (3...count).map { ($0, size + 5 * ($0 - 3)) }.filter { $0.1 < 2 * size && data[$0.1] == type }
  }

  mutating func copy(_ page: Int, to other: Int) {
    data.replaceSubrange(start(other)..<start(other) + size, with: data[start(page)..<start(page) + size])
  }

  mutating func clear(_ page: Int) {
    data.replaceSubrange(start(page)..<start(page) + size, with: Data(count: size))
  }

  func write(to path: String) throws { try data.write(to: URL(fileURLWithPath: path)) }
}
