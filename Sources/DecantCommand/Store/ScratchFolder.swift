internal import Foundation

/// A folder in the user's temporary directory.
struct ScratchFolder {
  let path: String

  init() throws(CommandFailure) {
    let folder = FileManager.default.temporaryDirectory.path
    path = folder + "/decant-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    guard mkdir(path, 0o700) == 0 else {
      throw CommandFailure(
        .cantCreate,
        "The folder \(folder) for temporary files can't be written to: \(String(cString: strerror(errno))).",
        advice: "Set TMPDIR to a folder that you can write to.")
    }
  }

  func remove() {
    // A folder that stays does no harm, and the system empties its folder for temporary files.
    try? FileManager.default.removeItem(atPath: path)
  }
}
