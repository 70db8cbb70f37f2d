internal import Foundation

/// A run's folder on a file system of its own machine: the copies of the stores and the workers' files.
///
/// The folder's name depends on the output, the manifest and the shard. So the next run on this machine continues the
/// work of a stopped run. A run locks its folder. So a second run of the shard at the same time takes another name.
final class ScratchFolder {
  /// The number of names that a run tries.
  private static let most = 64
  /// The file that names the run.
  private static let note = "/run"

  let path: String
  /// The name of the run, unique among all machines.
  ///
  /// A run that continues this run's work has the same name.
  let run: String
  private let place: String
  private let key: PathKey
  private let descriptor: Int32

  /// - Parameter place: The folder in which the scratch folder is made.
  init(in place: String, key: PathKey) throws(ShardError) {
    for number in 1...Self.most {
      let path = Self.path(in: place, key, number)
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw .scratch(path: path, action: "made", code: errno)
      }
      guard let descriptor = Self.lock(path) else { continue }
      self.path = path
      self.place = place
      self.key = key
      self.descriptor = descriptor
      if let run = Self.run(of: path) {
        self.run = run
      } else {
        run = UUID().uuidString
        // Without this file, the next run has another name, and this run's unfinished results stay for some time.
        try? Data(run.utf8).write(to: URL(fileURLWithPath: path + Self.note))
      }
      return
    }
    throw .scratch(path: Self.path(in: place, key, 1), action: "locked", code: EBUSY)
  }

  deinit {
    // A process that is just being started has a copy of the descriptor until its exec. So closing isn't enough.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func path(in place: String, _ key: PathKey, _ number: Int) -> String {
    "\(place)/decant-\(key.hex)" + (number == 1 ? "" : "-\(number)")
  }

  /// Locks a folder.
  ///
  /// - Returns: The locked descriptor; `nil` if this run can't use the folder.
  private static func lock(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var (held, named) = (stat(), stat())
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &held) == 0, lstat(path, &named) == 0,
      held.st_ino == named.st_ino, held.st_uid == geteuid()
    {
      return descriptor
    }
    close(descriptor)
    return nil
  }

  private static func run(of path: String) -> String? {
    FileManager.default.contents(atPath: path + note).flatMap {
      UUID(uuidString: String(decoding: $0, as: UTF8.self))?.uuidString
    }
  }

  func place(of key: PathKey) -> String { path + "/" + key.hex }

  /// Removes the folder with all its content, and the folders of the shard's killed runs on this machine.
  ///
  /// - Returns: The names of the killed runs.
  func removeAll() -> [String] {
    var runs: [String] = []
    for number in 1...Self.most {
      let other = Self.path(in: place, key, number)
      guard other != path, let descriptor = Self.lock(other) else { continue }
      if let run = Self.run(of: other) { runs.append(run) }
      try? FileManager.default.removeItem(atPath: other)
      close(descriptor)
    }
    try? FileManager.default.removeItem(atPath: path)
    return runs
  }

  /// Removes the folder if nothing is left in it that a later run could continue.
  func removeIfEmpty() {
    guard (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0 <= 1 else { return }
    try? FileManager.default.removeItem(atPath: path)
  }
}
