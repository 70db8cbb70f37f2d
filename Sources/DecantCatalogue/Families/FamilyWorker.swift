internal import DecantModel
internal import FileNames
package import Foundation

/// Finds the worker that a family names, without reading the family's models.
package enum FamilyWorker {
  /// The place in `family.json5` that names the worker, such as `/models/Notes/family.json5, line 3`; `nil` without a
  /// worker.
  package static func place(of family: String, in catalogue: URL) -> String? {
    guard let file = file(of: family, in: catalogue), let line = line(in: file.path) else { return nil }
    return "\(file.path), line \(line)"
  }

  /// The line of a `family.json5` that names the worker, from 1; `nil` if there is none.
  package static func line(in path: String) -> Int? {
    (try? DiskRead.contents(of: path, limit: JSON5Value.sizeLimit))
      .flatMap { JSON5Value.place(of: [.key("worker")], in: $0)?.line }
  }

  /// The worker's path from `family.json5`; `nil` without a worker.
  ///
  /// - Parameters:
  ///   - family: The family's name. The result is `nil` if the name is empty, begins with a dot, or contains a slash or
  ///     a NUL.
  ///   - catalogue: The catalogue's folder, or the family's own.
  /// - Throws: `FamilyError` for a file that can't be read or has a fault.
  package static func path(of family: String, in catalogue: URL) throws(FamilyError) -> String? {
    try file(of: family, in: catalogue).map { file throws(FamilyError) in
      try FamilyConfiguration.read(at: file).worker
    } ?? nil
  }

  private static func file(of family: String, in catalogue: URL) -> URL? {
    guard !family.isEmpty, !family.hasPrefix("."), !family.contains("/"), !family.contains("\0") else {
      return nil
    }
    let file = "family.json5"
    let place = FamilyPlace(catalogue.standardizedFileURL)
    if place.isBundle {
      let beside = place.folder.appendingPathComponent(file)
      let isOwn = FileName(place.url.deletingPathExtension().lastPathComponent) == FileName(family)
      return isOwn && FileManager.default.fileExists(atPath: beside.path) ? beside : nil
    }
    let places =
      [catalogue.appendingPathComponent(family).appendingPathComponent(file)]
      + (FileName(catalogue.lastPathComponent) == FileName(family)
        ? [catalogue.appendingPathComponent(file)] : [])
    return places.first { FileManager.default.fileExists(atPath: $0.path) }
  }
}
