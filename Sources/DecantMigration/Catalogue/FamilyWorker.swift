package import Foundation

/// The worker that a family names, looked up without reading its models.
package enum FamilyWorker {
  /// The reason of a failure by which a process says that the job is another worker's.
  package static let otherWorker = "other-worker"

  /// The path that `family.json5` gives; `nil` where it gives none.
  ///
  /// - Parameters:
  ///   - family: The family's name; one that is no plain name has no worker.
  ///   - catalogue: The catalogue's folder, or the family's own.
  /// - Throws: `FamilyError` for a file that can't be read.
  package static func path(of family: String, in catalogue: URL) throws(FamilyError) -> String? {
    guard !family.isEmpty, !family.hasPrefix("."), !family.contains("/"), !family.contains("\0") else {
      return nil
    }
    let file = "family.json5"
    let places =
      [catalogue.appendingPathComponent(family).appendingPathComponent(file)]
      + (catalogue.lastPathComponent == family ? [catalogue.appendingPathComponent(file)] : [])
    guard let place = places.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
      return nil
    }
    return try FamilyConfiguration.read(at: place).worker
  }
}
