internal import Foundation

/// A run's folder on a file system of its own machine: the copies of the stores and the workers' files.
///
/// Its name depends on the output, the manifest and the shard, so that the next run on this machine continues the work of
/// a run that was stopped. A second run of the shard at the same time takes another name: locks hold here.
final class ScratchFolder {
  let path: String
  private let descriptor: Int32

  /// - Parameters:
  ///   - place: The folder that holds it.
  ///   - key: What its name depends on.
  init(in place: String, key: PathKey) throws(ShardError) {
    for number in 1...64 {
      let path = "\(place)/decant-\(key.hex)" + (number == 1 ? "" : "-\(number)")
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw .file(path: path, action: "made", code: errno)
      }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { throw .file(path: path, action: "opened", code: errno) }
      var (held, named) = (stat(), stat())
      // Another user's folder, or one that its last user has just removed, is not taken.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &held) == 0, lstat(path, &named) == 0,
        held.st_ino == named.st_ino, held.st_uid == geteuid()
      {
        self.path = path
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
    throw .file(path: "\(place)/decant-\(key.hex)", action: "locked", code: EBUSY)
  }

  deinit { close(descriptor) }

  /// A store's folder.
  func place(of key: PathKey) -> String { path + "/" + key.hex }

  /// Removes the folder with all that is left in it.
  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Removes the folder if nothing is left in it that a later run could continue.
  func removeIfEmpty() { rmdir(path) }
}
