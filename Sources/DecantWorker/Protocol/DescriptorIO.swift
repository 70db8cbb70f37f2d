package import Foundation
internal import Glibc

/// Reads and writes descriptors, and checks every return value.
package enum DescriptorIO {
  /// The result of a read.
  package enum Reading: Sendable {
    case bytes(Data)
    /// No data now; only for non-blocking descriptors.
    case nothing
    /// The other end is closed, or the descriptor failed.
    case end
  }

  /// Reads available data, 64 KiB at most.
  package static func read(_ descriptor: Int32) -> Reading {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { return .bytes(Data(buffer.prefix(count))) }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      default: return .end
      }
    }
  }

  /// Writes all bytes.
  ///
  /// - Returns: 0, or the errno of the write that failed.
  package static func write(_ data: Data, to descriptor: Int32) -> Int32 {
    data.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let count = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
        if count > 0 {
          offset += count
        } else if count < 0, errno == EINTR {
          continue
        } else if count < 0, errno == EAGAIN {
          var slot = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          if poll(&slot, 1, 10_000) == 0 { return EAGAIN }
        } else {
          return count < 0 ? errno : EIO
        }
      }
      return 0
    }
  }
}
