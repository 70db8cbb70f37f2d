internal import Foundation

/// A run's folder in the output, for results that aren't complete yet.
///
/// The folders of all runs of a shard are in one folder, and each run has its own: two runs at once by mistake don't use
/// the same names.
final class UnfinishedFolder {
  private let root: String
  private let shard: String
  let path: String

  init(in output: String, key: PathKey) throws(ShardError) {
    root = output + "/.unfinished"
    shard = "\(root)/\(key.hex)"
    // Two machines may have one name, and two runs in one process have its number.
    path = "\(shard)/\(UUID().uuidString)"
    for folder in [root, shard, path] {
      do throws(FileTrouble) {
        try FileTree.make(Array(folder.utf8))
      } catch {
        throw .file(path: folder, action: "made", code: error.code)
      }
    }
  }

  /// Removes this run's folder.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
    rmdir(shard)
    rmdir(root)
  }

  /// Removes the folders of all runs: the shard is complete, and what killed runs left is of no use.
  func removeAll() {
    try? FileManager.default.removeItem(atPath: shard)
    rmdir(root)
  }
}
