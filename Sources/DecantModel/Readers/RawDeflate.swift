internal import CZlib
internal import Foundation

/// Inflates and makes raw deflate streams (no zlib header) through zlib.
enum RawDeflate {
  enum Failure: Error {
    case damaged
    case truncated
    case tooLarge
  }

  /// The stream's content, and the number of bytes after its end.
  ///
  /// The content is inflated in pieces, so that a small stream with a huge content is refused before it fills the
  /// memory.
  static func inflate(_ data: Data, limit: Int) throws(Failure) -> (content: Data, surplus: Int) {
    var input = [UInt8](data)
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    guard let available = UInt32(exactly: input.count) else { throw .tooLarge }
    let result = input.withUnsafeMutableBufferPointer { input -> Result<Int, Failure> in
      var stream = z_stream()
      stream.next_in = input.baseAddress
      stream.avail_in = available
      guard decant_inflate_init_raw(&stream) == Z_OK else { return .failure(.damaged) }
      defer { inflateEnd(&stream) }
      while true {
        let (code, written) = chunk.withUnsafeMutableBufferPointer { chunk in
          stream.next_out = chunk.baseAddress
          stream.avail_out = UInt32(chunk.count)
          let code = CZlib.inflate(&stream, Z_NO_FLUSH)
          return (code, chunk.count - Int(stream.avail_out))
        }
        guard output.count + written <= limit else { return .failure(.tooLarge) }
        output += chunk[..<written]
        switch code {
        case Z_STREAM_END: return .success(Int(stream.avail_in))
        case Z_OK where written > 0 || stream.avail_in > 0: continue
        case Z_OK, Z_BUF_ERROR: return .failure(.truncated)
        default: return .failure(.damaged)
        }
      }
    }
    return (Data(output), try result.get())
  }
}
