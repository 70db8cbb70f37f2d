internal import Glibc
internal import LineOutput

/// Writes to a pipe that is set to non-blocking.
enum ProgramPipe {
  enum Writing: Equatable {
    /// The number of bytes that the pipe has accepted.
    case accepted(Int)
    /// The other end is closed.
    case closed
    /// The call failed, with its errno.
    case failed(Int32)
  }

  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Writing {
    while true {
      let count = BrokenPipe.quietly {
        bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      }
      if count >= 0 { return .accepted(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .accepted(0)
      case EPIPE: return .closed
      default: return .failed(errno)
      }
    }
  }
}
