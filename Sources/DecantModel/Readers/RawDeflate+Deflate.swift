internal import CZlib
internal import Foundation

extension RawDeflate {
  /// A raw deflate stream of the bytes; `nil` if zlib can't make it.
  static func deflate(_ data: Data) -> Data? {
    var input = [UInt8](data)
    guard let available = UInt32(exactly: input.count) else { return nil }
    return input.withUnsafeMutableBufferPointer { input -> Data? in
      var stream = z_stream()
      guard decant_deflate_init_raw(&stream) == Z_OK else { return nil }
      defer { deflateEnd(&stream) }
      guard let bound = UInt32(exactly: deflateBound(&stream, UInt(available))) else { return nil }
      var output = [UInt8](repeating: 0, count: Int(bound))
      return output.withUnsafeMutableBufferPointer { output -> Data? in
        stream.next_in = input.baseAddress
        stream.avail_in = available
        stream.next_out = output.baseAddress
        stream.avail_out = bound
        // The buffer has room for the whole stream, so one call is enough.
        guard CZlib.deflate(&stream, Z_FINISH) == Z_STREAM_END else { return nil }
        return Data(output.prefix(output.count - Int(stream.avail_out)))
      }
    }
  }
}
