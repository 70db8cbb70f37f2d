package import Foundation
internal import Glibc
package import LineOutput

/// Reads and writes descriptors, and checks every return value.
package enum DescriptorIO {
  /// Reads available data, 64 KiB at most.
  package static func read(_ descriptor: Int32) -> DescriptorReading {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    return DescriptorReading.read(descriptor, into: &buffer)
  }

  /// Writes all bytes.
  ///
  /// - Returns: 0, or the errno of the write that failed; `EAGAIN` if the reader takes nothing for ten seconds.
  package static func write(_ data: Data, to descriptor: Int32) -> Int32 {
    var count = 0
    return write(data, to: descriptor, count: &count)
  }

  /// Writes all bytes, and gives the number of bytes that were written, also after an error.
  ///
  /// - Returns: 0, or the errno of the write that failed.
  package static func write(_ data: Data, to descriptor: Int32, count offset: inout Int) -> Int32 {
    data.withUnsafeBytes { buffer in
      offset = 0
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
