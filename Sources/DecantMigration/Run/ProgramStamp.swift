internal import FileNames
internal import Foundation

/// A stamp of a program's file, by which changes of the file are detected later, also in another process.
///
/// A result depends on the program's code. So after a change of the program an earlier result may be out of date.
package struct ProgramStamp: Sendable, Hashable, Codable {
  private let path: FileName
  private let inode: UInt64
  private let size: Int64
  /// Nanoseconds since 1970.
  private let modified: Int64

  /// - Returns: `nil` if there is no such file.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.path = FileName(path)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }

  /// The running program, at the path by which it was started; `nil` if that path has another file now.
  static let running: ProgramStamp? = {
    let own = "/proc/self/exe"
    let started = CommandLine.arguments.first.flatMap { $0.hasPrefix("/") ? $0 : nil }
    let path = started ?? (try? FileManager.default.destinationOfSymbolicLink(atPath: own)) ?? own
    let (named, running) = (ProgramStamp(of: path), ProgramStamp(of: own))
    return named?.inode == running?.inode ? named : nil
  }()

  var holds: Bool { ProgramStamp(of: path.text) == self }
}
