internal import DecantStore

/// A store opened for a command's own look, with a scratch folder for the private copy that a `-wal` asks for.
final class OpenedStore {
  let source: SourceStore
  private let scratch: ScratchFolder

  init(_ path: String) throws(CommandFailure) {
    try InputFile.checkStore(path)
    scratch = try ScratchFolder()
    do {
      source = try SourceStore(path, scratch: scratch.path)
    } catch {
      scratch.remove()
      throw CommandFailure(error)
    }
  }

  deinit { scratch.remove() }
}
