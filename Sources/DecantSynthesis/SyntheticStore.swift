package import DecantModel
package import DecantStore
internal import Foundation

/// Writes stores with invented objects, as input for rehearsals, tests and benchmarks.
package enum SyntheticStore {
  package static let rowLimit = 1_000_000_000

  package struct Summary: Sendable, Hashable, Codable {
    /// The number of objects by concrete entity.
    package var entities: [String: Int]
    /// The number of rows by join table.
    package var joinRows: [String: Int]
    /// The number of values in separate files beside the store.
    package var externalFiles: Int
    /// Rules of the model that could not be followed, as sentences without a full stop.
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

  package struct Progress: Sendable, Hashable {
    /// The current table; `nil` while indexes are made.
    package var table: String?
    /// The number of objects that are written.
    package var rowsDone: Int
    /// The number of all objects.
    package var rowsTotal: Int
  }

  /// Writes a store of a model version, with its external data beside it.
  ///
  /// Equal arguments give equal content, including keys and the store's UUID. Objects are distributed over all concrete
  /// entities. Both ends of a relationship agree. The model's counts, constraints and limits are followed where
  /// possible. The summary reports the exceptions, but not texts that break limits of length (`TextSource`).
  ///
  /// - Parameters:
  ///   - framework: The version of schema and metadata; if it is too old for the model, the oldest possible version is
  ///     used.
  ///   - rows: The total number of objects.
  ///   - hasExtremes: Whether numbers and dates may have the extreme values of their types.
  ///   - path: The store file. `.NAME_SUPPORT` is made beside it if a value needs a file.
  ///   - evidence: Settles names that are open points (docs/formats/core-data-sqlite.md 13).
  ///   - overwrites: Whether an existing store with all its files is removed first.
  ///   - progress: Called after each transaction of an entity table, before each join table and before the indexes are
  ///     made, on the caller's thread.
  /// - Throws: `GeneratingError`, `LayoutError` or `StoreError`; written files are removed.
  package static func write(
    model: ManagedObjectModel, framework: FrameworkVersion = .current, rows: Int, seed: UInt64 = 1,
    hasExtremes: Bool = true, to path: String, evidence: SchemaEvidence? = nil, overwrites: Bool = false,
    progress: (Progress) -> Void = { _ in }
  ) throws -> Summary {
    guard (0...rowLimit).contains(rows) else { throw GeneratingError.badRowCount(rows, limit: rowLimit) }
    let layout = try StoreLayout(
      model, framework: max(framework, .oldest(expressing: model)), evidence: evidence)
    // This is done before any file is removed or made, because it fails for a layout with open names.
    let leftOut = try SchemaStatements(layout).leftOut
    let counts = RowCounts(rows, model: model).counts
    guard rows == 0 || !counts.isEmpty else { throw GeneratingError.noConcreteEntity }
    let content = try SyntheticContent(layout, counts: counts, seed: seed, hasExtremes: hasExtremes)
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

private struct StoreFiles {
  private let paths: [String]

  init(_ path: String) {
    paths =
      ["", "-wal", "-shm", "-journal"].map { path + $0 } + [ExternalFiles(besideStore: path).supportFolder]
  }

  var existing: [String] { paths.filter { FileManager.default.fileExists(atPath: $0) } }

  func remove() throws(StoreError) {
    for path in existing { try FileCopy.remove(path) }
  }
}
