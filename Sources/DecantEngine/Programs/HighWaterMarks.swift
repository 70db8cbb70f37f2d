internal import DecantModel
internal import DecantPasses
internal import DecantStore

/// The least high-water marks in a destination's `Z_PRIMARYKEY`.
///
/// They keep a store from using a key twice (docs/formats/core-data-sqlite.md 3.2).
package struct HighWaterMarks {
  /// By root entity of the destination.
  let maxima: [String: Int]
  /// The rows of `Z_PRIMARYKEY` for persistent history (docs/formats/core-data-sqlite.md 3.3).
  ///
  /// No mark is less than the largest key of its history table. So clients' tokens are never ahead of the store.
  let history: [(row: PrimaryKeyRow, maximum: Int)]

  /// - Parameter maxima: By root entity of the destination.
  init(source: SourceStore, maxima: [String: Int]) throws(StoreError) {
    self.maxima = maxima
    history = try Self.read(source).history
  }

  init(source: SourceStore, pairing: EntityPairing) throws(StoreError) {
    let (marks, history) = try Self.read(source)
    var maxima: [String: Int] = [:]
    for pair in pairing.pairs {
      guard let root = pairing.destination.model.root(of: pair.destination),
        let sourceRoot = pairing.source.model.root(of: pair.source),
        let number = pairing.source.entityNumbers[sourceRoot.name]
      else { continue }
      maxima[root.name] = max(maxima[root.name] ?? 0, marks[number] ?? 0)
    }
    self.maxima = maxima
    self.history = history
  }

  /// The marks by entity number, and those of persistent history.
  private static func read(
    _ source: SourceStore
  ) throws(StoreError) -> (marks: [Int: Int], history: [(row: PrimaryKeyRow, maximum: Int)]) {
    var marks: [Int: Int] = [:]
    var history: [(row: PrimaryKeyRow, maximum: Int)] = []
    for row in try source.rows("SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") {
      guard let number = row[0].integer.flatMap({ Int(exactly: $0) }) else { continue }
      var mark = max(0, row[2].integer.flatMap { Int(exactly: $0) } ?? 0)
      marks[number] = mark
      if (16_001...16_003).contains(number), case .text(let name) = row[1], !source.historyTables.isEmpty {
        let table = "A" + name
        if source.historyTables.contains(table) {
          let largest = try source.rows("SELECT max(Z_PK) FROM \(table)").first?.first?.integer
          mark = max(mark, largest.flatMap { Int(exactly: $0) } ?? 0)
        }
        history.append((PrimaryKeyRow(number: number, name: name, superNumber: 0), mark))
      }
    }
    return (marks, history)
  }
}
