internal import DecantConsole
internal import DecantReport
internal import DecantStore
internal import FileNames
internal import Foundation

/// A drop that is being made in `incoming/`, under a name that a daemon never takes as a drop.
struct DropFolder {
  /// How often a store that changes meanwhile is copied at most.
  private static let attempts = 3
  /// The numbers that are added to a name if it is taken.
  private static let numbers = 2...9999

  let spool: String
  let path: String
  private var incoming: String { spool + "/incoming" }

  init(in spool: String) throws(CommandFailure) {
    self.spool = spool
    path = "\(spool)/incoming/.decant-submit-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    guard mkdir(path, 0o700) == 0 else {
      switch errno {
      case ENOENT, ENOTDIR:
        throw CommandFailure(
          .noSuchFile, "There is no spool “\(spool)”: it has no folder “incoming”.",
          advice: "Name the daemon's spool with --spool, or its configuration with --config.")
      case EACCES, EPERM:
        throw CommandFailure(
          .permission, "You may not write into “\(spool)/incoming”.",
          advice: "Become a member of its group, or ask an administrator.")
      default: throw CommandFailure(errno: errno, path, "created")
      }
    }
    letDaemonSweep()
  }

  /// Copies a store as it is at one moment, and makes the copy durable.
  ///
  /// - Parameters:
  ///   - pause: The seconds before a store that has changed is copied again.
  ///   - goesOn: Called every few megabytes; false ends the copying.
  /// - Returns: The group that can read and remove the drop as well; `nil` if there is none.
  @discardableResult
  func fill(
    from source: StoreFiles, request: JSON?, pause: Double = 0.5, goesOn: () -> Bool = { true }
  ) throws(CommandFailure) -> UInt32? {
    let copy = StoreFiles("\(path)/\(source.name)")
    for attempt in 1...Self.attempts {
      let before = Self.state(of: source)
      try StoreCopy.copy(source, to: copy, goesOn: goesOn)
      if Self.state(of: source) == before { break }
      guard attempt < Self.attempts else {
        throw CommandFailure(
          .sourceChanged, "\(source.store) was changed by another program while it was copied.",
          exitCode: ExitCode.tryAgain, advice: "Close it there, then try again.")
      }
      try clear()
      usleep(UInt32(pause * 1_000_000))
    }
    do {
      if let request {
        let file = "\(path)/\(source.name)\(StoreNames.requestSuffix)"
        let text = request.lines.joined(separator: "\n") + "\n"
        guard FileManager.default.createFile(atPath: file, contents: Data(text.utf8)) else {
          throw FileCopy.failure(file, "created")
        }
        try FileCopy.sync(file)
      }
      let group = try openToDaemon()
      try FileCopy.sync(path)
      return group
    } catch let error as StoreError {
      throw CommandFailure(error)
    } catch {
      throw CommandFailure(.files, "\(path): \(error)")
    }
  }

  /// Renames the folder to a drop, durably.
  ///
  /// - Parameter name: The wanted name; if it is taken, a number is added.
  func publish(as name: String) throws(CommandFailure) -> String {
    for candidate in [name] + Self.numbers.lazy.map({ "\(name)-\($0)" }) {
      guard !StoreFiles.exists("\(spool)/done/\(candidate)"), !StoreFiles.exists("\(incoming)/\(candidate)")
      else { continue }
      guard try NewName.rename(path, into: incoming, as: FileName(candidate)) else { continue }
      do throws(StoreError) {
        try FileCopy.sync(incoming)
      } catch {
        // The failure is reported, even if the daemon has taken the drop already and makes its own names durable.
        throw CommandFailure(error)
      }
      return candidate
    }
    throw CommandFailure(.cantCreate, "All names from “\(name)” on are taken in “\(incoming)”.")
  }

  /// Removes the folder, if it isn't a drop yet.
  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Removes a copy during which the store has changed.
  private func clear() throws(CommandFailure) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      do {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
      } catch {
        throw CommandFailure(.files, "\(path)/\(name) can't be removed: \(error.localizedDescription)")
      }
    }
  }

  /// A text that changes with the store, its log and its external data.
  private static func state(of source: StoreFiles) -> String {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: source.supportFolder)) ?? []
    let external = names.sorted().map { name in
      var status = stat()
      return lstat("\(source.supportFolder)/\(name)", &status) == 0 ? "\(name) \(status.st_size)" : "-"
    }
    return ([source.state] + external).joined(separator: "\n")
  }
}
