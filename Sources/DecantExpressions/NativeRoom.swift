/// The memory for a text that a part of a chain has made, valid until the part makes another.
final class NativeRoom {
  private var room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64)
  private var bytes: [UInt8] = []

  deinit { room.deallocate() }

  func hold(_ bytes: [UInt8]) -> NativeText {
    if room.count < bytes.count {
      room.deallocate()
      room = .allocate(capacity: bytes.count * 2)
    }
    _ = room.update(fromContentsOf: bytes)
    return NativeText(UnsafeBufferPointer(rebasing: room[..<bytes.count]))
  }

  /// The digits of a whole number, at most 20 bytes.
  func digits(of number: Int64) -> NativeText {
    let room = room
    var place = 24
    var rest = number.magnitude
    repeat {
      place -= 1
      room[place] = UInt8(truncatingIfNeeded: 48 + rest % 10)
      rest /= 10
    } while rest > 0
    if number < 0 {
      place -= 1
      room[place] = UInt8(ascii: "-")
    }
    return NativeText(UnsafeBufferPointer(rebasing: room[place..<24]), partOf: .ascii)
  }

  func stamped(_ seconds: Double, _ stamp: DateStamp) -> NativeText {
    stamp.write(seconds, into: &bytes)
    return hold(bytes)
  }
}
