internal import Foundation

/// A new folder for temporary files, in the system's folder for them (`TMPDIR`).
package struct ScratchPlace {
  package let path: String

  /// Chooses the name; the folder isn't made yet.
  package init() {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("decant-\(UUID().uuidString)").path
  }

  /// Makes the folder, for the user alone.
  ///
  /// - Throws: `StoreError.files` or `disk` with the errno.
  package func make() throws(StoreError) {
    guard mkdir(path, 0o700) == 0 else { throw FileCopy.failure(path, "made") }
  }

  /// Removes the folder with its content, if it was made.
  package func remove() {
    // A folder that stays does no harm.
    try? FileManager.default.removeItem(atPath: path)
  }
}
