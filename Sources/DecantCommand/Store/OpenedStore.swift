internal import DecantStore

/// A store opened for a command's own look, with a scratch folder for the private copy that a `-wal` asks for.
final class OpenedStore {
  let source: SourceStore
  private let scratch: ScratchFolder

  /// - Parameters:
  ///   - checksPages: Whether every page is looked at first.
  ///   - needsVersionHashes: Whether a store without them is refused.
  init(
    _ path: String, checksPages: Bool = true, needsVersionHashes: Bool = true
  ) throws(CommandFailure) {
    let path = try InputFile.checkStore(path)
    scratch = try ScratchFolder()
    do {
      source = try SourceStore(
        path, scratch: scratch.path, checksPages: checksPages,
        needsVersionHashes: needsVersionHashes)
    } catch {
      scratch.remove()
      throw CommandFailure(error)
    }
  }

  deinit { scratch.remove() }
}
