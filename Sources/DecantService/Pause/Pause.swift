package import DecantSpool
internal import Foundation

/// An administrator's pause.
///
/// A file in the spool keeps the pause, so that the pause continues after a restart of the daemon.
package struct Pause: Sendable, Hashable, Codable {
  static let fileName = ".paused"
  private static let sizeLimit = 4096

  /// When the pause began, in UTC; `nil` if the file doesn't say.
  package var since: String?
  package var stopsJobs: Bool

  package init(since: String?, stopsJobs: Bool) {
    self.since = since
    self.stopsJobs = stopsJobs
  }

  /// The pause of a spool; `nil` without one.
  ///
  /// An empty file counts, too, so that an administrator can create one before the daemon starts.
  package static func read(in spool: Spool) throws(FileFailure) -> Pause? {
    guard let data = try spool.root.read(fileName, limit: sizeLimit) else { return nil }
    return (try? JSONDecoder().decode(Self.self, from: data)) ?? Pause(since: nil, stopsJobs: false)
  }

  /// Writes the file durably.
  package func save(in spool: Spool) throws(FileFailure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    guard let data = try? encoder.encode(self) else { return }
    try spool.root.write(data + Data("\n".utf8), to: Self.fileName)
  }

  /// Removes the file durably.
  package static func end(in spool: Spool) throws(FileFailure) {
    try spool.root.remove(fileName)
    try spool.root.sync()
  }

  /// - Parameter option: The option with which a command finds the daemon.
  func message(_ option: String) -> String {
    "paused\(since.map { " since \($0)" } ?? ""); drops stay in incoming until “decant resume\(option)”"
  }
}
