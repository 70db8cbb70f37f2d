internal import Foundation

/// A folder in the user's temporary directory.
struct ScratchFolder {
  let path: String

  init() throws(CommandFailure) {
    let folder = FileManager.default.temporaryDirectory.path
    path = folder + "/decant-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    guard mkdir(path, 0o700) == 0 else {
      throw CommandFailure(
        .cantCreate, "\(folder) can't be written: \(String(cString: strerror(errno))).",
        advice: "Name a folder for temporary files with TMPDIR.")
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
