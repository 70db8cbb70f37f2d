internal import Glibc

/// The result of reading from a pipe or another descriptor.
package enum DescriptorReading: Sendable {
  case bytes(ArraySlice<UInt8>)
  /// No bytes are available now; only for non-blocking descriptors.
  case nothing
  /// The other end is closed.
  case end
  /// The call failed, with its errno.
  case failed(Int32)

  /// Reads the available bytes, up to the size of the buffer.
  package static func read(_ descriptor: Int32, into buffer: inout [UInt8]) -> DescriptorReading {
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { return .bytes(buffer[..<count]) }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      default: return .failed(errno)
      }
    }
  }
}
