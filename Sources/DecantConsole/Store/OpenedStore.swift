package import DecantStore

/// A store that a command has opened.
///
/// If the store has a `-wal` or journal, a private copy of the store is in a scratch folder.
package final class OpenedStore {
  package let source: SourceStore
  private let scratch: ScratchPlace

  /// - Parameters:
  ///   - checksPages: Whether to check every page first.
  ///   - needsVersionHashes: Whether to refuse a store without version hashes.
  package init(
    _ path: String, checksPages: Bool = true, needsVersionHashes: Bool = true
  ) throws(CommandFailure) {
    let path = try InputFile.checkStore(path)
    scratch = try ScratchPlace.forCommand()
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
