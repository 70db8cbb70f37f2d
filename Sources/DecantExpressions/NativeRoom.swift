/// The memory for a text that a part of a chain has made, valid until the part makes another.
final class NativeRoom {
  private var room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64)

  deinit { room.deallocate() }

  func hold(_ bytes: [UInt8]) -> NativeText {
    makeRoom(for: bytes.count)
    _ = room.update(fromContentsOf: bytes)
    return NativeText(UnsafeBufferPointer(rebasing: room[..<bytes.count]))
  }

  private func makeRoom(for count: Int) {
    // A room lives as long as its connection, so the memory of a long text is freed when a short one follows.
    guard room.count < count || room.count > Self.usual && count < Self.usual / 2 else { return }
    room.deallocate()
    room = .allocate(capacity: max(64, count * 2))
  }

  /// The size in bytes that a room may keep.
  private static let usual = 1 << 16

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
    makeRoom(for: stamp.count)
    stamp.write(seconds, into: room)
    return NativeText(UnsafeBufferPointer(rebasing: room[..<stamp.count]))
  }
}
