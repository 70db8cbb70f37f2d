internal import DecantModel
internal import DecantSQLite
package import DecantStore
internal import FileNames
package import Foundation

/// The files of a quarantine: a store of the refused objects, and a list with the reasons.
package struct QuarantineFiles: Sendable, Hashable {
  /// The path of both files, without `.sqlite` or `.json`.
  let stem: String

  package var store: String { stem + ".sqlite" }
  package var list: String { stem + ".json" }
  package var storeName: String { PathText.name(of: store).text }
  package var listName: String { PathText.name(of: list).text }

  /// Files in a work folder, for a step counted from 1.
  package init(workFolder: URL, step: Int) {
    stem = workFolder.path + "/step-\(step).quarantine"
  }

  /// Files beside an output: `NAME.quarantine`, with the step's number unless it is the last step.
  package init(output: URL, step: Int, of steps: Int) {
    stem = output.deletingPathExtension().path + DeliveredNames.quarantine + (step < steps ? "-\(step)" : "")
  }

  /// Whether a name in a work folder has the form of a step's quarantine store or list.
  package static func isOfStep(_ name: String) -> Bool {
    name.hasPrefix("step-") && (name.hasSuffix(".quarantine.sqlite") || name.hasSuffix(".quarantine.json"))
  }

  /// Files of a source's stray rows, in a work folder.
  package init(strayRowsIn workFolder: URL) {
    stem = workFolder.path + "/source.quarantine"
  }

  /// Files of a source's stray rows, beside an output: `NAME.quarantine-source`.
  package init(strayRowsBeside output: URL) {
    stem = output.deletingPathExtension().path + DeliveredNames.quarantine + DeliveredNames.ofSource
  }

  /// Removes the files that an earlier run may have left.
  package func remove() {
    for path in [store, store + "-journal", store + "-wal", store + "-shm", list] { unlink(path) }
  }

  package func sync() throws(StoreError) {
    for path in [store, list, PathText.folder(of: store)] { try FileCopy.sync(path) }
  }

  /// Whether the store exists.
  package var isThere: Bool { FileManager.default.fileExists(atPath: store) }
}
