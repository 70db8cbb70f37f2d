public import Foundation

/// Raw deflate streams, written without zlib.
public enum DeflateWriter {
  /// The data in stored blocks.
  public static func stored(_ data: Data) -> Data {
    var output = Data()
    var rest = data[...]
    repeat {
      let block = rest.prefix(0xffff)
      rest = rest.dropFirst(0xffff)
      let count = UInt16(block.count)
      output.append(rest.isEmpty ? 1 : 0)
      for number in [count, ~count] { output.append(contentsOf: [UInt8(number & 0xff), UInt8(number >> 8)]) }
      output.append(block)
    } while !rest.isEmpty
    return output
  }

  /// A stream of `count` zeros: one literal, then matches of 258 bytes at distance 1 in the fixed code.
  public static func zeros(count: Int) -> Data {
    var (output, bits, held): (Data, UInt32, Int) = (Data(), 0, 0)
    func put(_ value: UInt32, _ length: Int) {
      bits |= value << held
      held += length
      while held >= 8 {
        output.append(UInt8(bits & 0xff))
        bits >>= 8
        held -= 8
      }
    }
    put(0b011, 3)
    put(0b0000_1100, 8)
    for _ in 0..<(count / 258) {
      put(0b1010_0011, 8)
      put(0, 5)
    }
    put(0, 7)
    put(0, 8)
    return output
  }
}
