internal import DecantConsole
internal import DecantStore
internal import Foundation

/// Copies a store byte for byte, with its log and its external data.
enum StoreCopy {
  /// - Parameter goesOn: Called every few megabytes; false ends the copying.
  static func copy(
    _ source: StoreFiles, to destination: StoreFiles, goesOn: () -> Bool = { true }
  ) throws(CommandFailure) {
    do {
      try copyFile(source.store, to: destination.store, goesOn)
      for (old, new) in zip(source.logs, destination.logs) where StoreFiles.exists(old) {
        try copyFile(old, to: new, goesOn)
      }
      if StoreFiles.exists(source.supportFolder) {
        try copyFolder(source.supportFolder, to: destination.supportFolder, goesOn)
      }
    } catch {
      throw CommandFailure(error)
    }
  }

  private static func copyFile(_ source: String, to destination: String, _ goesOn: () -> Bool)
    throws(StoreError)
  {
    try FileCopy.copy(source, to: destination, while: goesOn)
    var status = stat()
    // Keep the source's permissions, but never read-only.
    if stat(source, &status) == 0 { chmod(destination, status.st_mode & 0o666 | 0o600) }
    try FileCopy.sync(destination)
  }

  /// Copies a folder of external data.
  ///
  /// Links and special files don't belong there, and are left out.
  private static func copyFolder(
    _ source: String, to destination: String, _ goesOn: () -> Bool, depth: Int = 0
  ) throws(StoreError) {
    guard mkdir(destination, 0o700) == 0 else { throw FileCopy.failure(destination, "made") }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: source) else {
      throw FileCopy.failure(source, "listed")
    }
    for name in names.sorted() {
      var status = stat()
      guard lstat("\(source)/\(name)", &status) == 0 else {
        throw FileCopy.failure("\(source)/\(name)", "read")
      }
      switch status.st_mode & S_IFMT {
      case S_IFREG: try copyFile("\(source)/\(name)", to: "\(destination)/\(name)", goesOn)
      case S_IFDIR where depth < 8:
        try copyFolder("\(source)/\(name)", to: "\(destination)/\(name)", goesOn, depth: depth + 1)
      default: break
      }
    }
    try FileCopy.sync(destination)
  }
}
