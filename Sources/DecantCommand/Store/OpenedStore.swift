internal import DecantStore
internal import Foundation

/// A store opened for a command's own look, with a temporary folder for the private copy that a `-wal` asks for.
final class OpenedStore {
  let source: SourceStore
  private let scratch: String

  init(_ path: String) throws(CommandFailure) {
    try InputFile.checkStore(path)
    let folder = FileManager.default.temporaryDirectory.path
    scratch = folder + "/decant-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    guard mkdir(scratch, 0o700) == 0 else { throw CommandFailure(errno: errno, folder, "written") }
    do {
      source = try SourceStore(path, scratch: scratch)
    } catch {
      try? FileManager.default.removeItem(atPath: scratch)
      throw CommandFailure(error)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: scratch) }
}
