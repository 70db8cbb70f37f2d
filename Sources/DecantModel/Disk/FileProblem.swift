internal import Foundation

/// Why a file can't be read.
package enum FileProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The errno of the call that failed.
  case system(Int32)
  /// The path is a folder, FIFO, socket or device.
  case notAFile
  /// The file is larger than the accepted size.
  case tooLarge(limit: Int)

  /// The problem, as text after “it can't be read: ”.
  package var description: String {
    switch self {
    case .system(let code): String(cString: strerror(code))
    case .notAFile: "it isn't a regular file"
    case .tooLarge(let limit): "it has more than \(Self.size(limit)), the most that is read of such a file"
    }
  }

  private static func size(_ bytes: Int) -> String {
    bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : bytes >= 1 << 10 ? "\(bytes >> 10) KiB" : "\(bytes) bytes"
  }
}
