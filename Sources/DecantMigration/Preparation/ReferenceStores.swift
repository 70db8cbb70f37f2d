internal import DecantCatalogue
internal import DecantModel
internal import DecantStore
internal import Foundation

/// A family's reference stores, opened one at a time.
struct ReferenceStores {
  let family: Family
  /// The folder for copies of stores that came with a `-wal` or journal.
  let workFolder: URL

  /// Passes the reference stores of a version to the body, until the body returns an answer.
  ///
  /// - Returns: The answer. Without an answer `nil`, and the reasons why stores can't be read or are of another
  ///   version.
  func first<Answer>(
    of version: FamilyVersion, _ body: (SourceStore) -> Answer?
  ) -> (answer: Answer?, unused: [String]) {
    var unused: [String] = []
    for (index, url) in family.referenceStores.enumerated() {
      let scratch = workFolder.appendingPathComponent("reference-\(index)").path
      defer { try? FileManager.default.removeItem(atPath: scratch) }
      let reference: SourceStore
      do {
        reference = try SourceStore(
          DiskWatch.resolved(url).path, scratch: scratch, checksPages: false)
      } catch {
        unused.append(error.description)
        continue
      }
      guard reference.metadata.versionHashes == version.hashes else {
        let found = family.versions.first { $0.hashes == reference.metadata.versionHashes }
        unused.append(
          "\(url.path) is of \(found.map { "version “\($0.name)”" } ?? "none of the family's versions").")
        continue
      }
      if let answer = body(reference) { return (answer, []) }
    }
    return (nil, unused)
  }
}
