package import DecantModel
package import DecantStore
internal import Foundation

/// Writes stores full of invented objects: input for rehearsals, tests and benchmarks.
package enum SyntheticStore {
  /// The most rows that a store is written with.
  package static let rowLimit = 1_000_000_000

  /// What a synthetic store holds.
  package struct Summary: Sendable, Hashable, Codable {
    /// Objects by concrete entity.
    package var entities: [String: Int]
    /// Rows by join table.
    package var joinRows: [String: Int]
    /// Values that lie in files of their own beside the store.
    package var externalFiles: Int
    /// What of the model's rules could not be respected, as sentences without a full stop.
    package var shortcomings: [String]

    package init(
      entities: [String: Int] = [:], joinRows: [String: Int] = [:], externalFiles: Int = 0,
      shortcomings: [String] = []
    ) {
      self.entities = entities
      self.joinRows = joinRows
      self.externalFiles = externalFiles
      self.shortcomings = shortcomings
    }
  }

  /// How far the writing has come.
  package struct Progress: Sendable, Hashable {
    /// The table at work; `nil` while indexes are made.
    package var table: String?
    /// Objects written, and to write in all.
    package var rowsDone: Int
    package var rowsTotal: Int
  }

  /// Writes a store of a model version, with its external data beside it.
  ///
  /// Equal arguments give equal content, down to keys and the store's UUID. Objects are shared out over all concrete
  /// entities; relationships are filled within their counts and agree at both ends; constraints and limits are
  /// respected, and where they can't be the summary says so.
  ///
  /// - Parameters:
  ///   - framework: Whose schema and metadata are written; a version too old for the model is raised.
  ///   - rows: Objects in all.
  ///   - path: The store file. `.NAME_SUPPORT` is made beside it where a value needs a file.
  ///   - evidence: Settles names that are open points (docs/formats/core-data-sqlite.md 13).
  ///   - overwrites: Whether a store at the path, with everything that belongs to it, is removed first.
  ///   - progress: Called after each transaction, on the caller's thread.
  /// - Throws: `GeneratingError`, `LayoutError` or `StoreError`; what was written is removed.
  package static func write(
    model: ManagedObjectModel, framework: FrameworkVersion = .current, rows: Int, seed: UInt64 = 1,
    to path: String, evidence: SchemaEvidence? = nil, overwrites: Bool = false,
    progress: (Progress) -> Void = { _ in }
  ) throws -> Summary {
    guard (0...rowLimit).contains(rows) else { throw GeneratingError.badRowCount(rows, limit: rowLimit) }
    let layout = try StoreLayout(
      model, framework: max(framework, .oldest(expressing: model)), evidence: evidence)
    // Before anything is removed or made: a layout with open names ends here.
    let leftOut = try SchemaStatements(layout).leftOut
    let counts = RowCounts(rows, model: model).counts
    guard rows == 0 || !counts.isEmpty else { throw GeneratingError.noConcreteEntity }
    let content = try SyntheticContent(layout, counts: counts, seed: seed)
    let files = StoreFiles(path)
    if overwrites {
      try files.remove()
    } else if let existing = files.existing.first {
      throw GeneratingError.exists(path: existing)
    }
    do {
      var summary = try content.write(to: path, progress: progress)
      summary.shortcomings += leftOut.map { "index \($0.property) is left out: \($0.question) isn't known" }
      return summary
    } catch {
      // The first error is the one to report.
      try? files.remove()
      throw error
    }
  }
}

/// A store file and everything that belongs to it.
private struct StoreFiles {
  private let paths: [String]

  init(_ path: String) {
    paths =
      ["", "-wal", "-shm", "-journal"].map { path + $0 } + [ExternalFiles(besideStore: path).supportFolder]
  }

  var existing: [String] { paths.filter { FileManager.default.fileExists(atPath: $0) } }

  func remove() throws(StoreError) {
    for path in existing {
      do { try FileManager.default.removeItem(atPath: path) } catch {
        throw .files(path: path, action: "removed", errno: errno, reason: error.localizedDescription)
      }
    }
  }
}
