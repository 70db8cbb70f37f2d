internal import Foundation
internal import PredicateFormat

/// Recognises the most common values in an `Any` without a cast, which is slow: policies give several for each object.
///
/// An `Any` is three words and a type. Values of up to three words are stored in place; nil has no type there (“Opaque
/// Existential Containers” of Swift's ABI, docs/ABI/TypeLayout.rst).
enum HeldValue {
  private static let typePlace = 3 * MemoryLayout<UInt>.size

  @inline(__always) private static func address(_ type: Any.Type) -> UInt {
    unsafeBitCast(type, to: UInt.self)
  }

  /// - Returns: `nil` for all others, which need a cast.
  static func common(_ any: Any?) -> Value? {
    withUnsafeBytes(of: any) { bytes in
      guard let start = bytes.baseAddress, bytes.count > typePlace else { return nil }
      let type = start.load(fromByteOffset: typePlace, as: UInt.self)
      if type == 0 { return .null }
      if type == address(String.self) { return .string(start.load(as: String.self)) }
      if type == address(NSNumber.self) {
        let number = start.load(as: NSNumber.self)
        return number is NSDecimalNumber ? nil : ValueBridge.value(of: number)
      }
      if type == address(Date.self) { return .date(start.load(as: Date.self).timeIntervalSinceReferenceDate) }
      if type == address(Double.self) { return .double(start.load(as: Double.self)) }
      if type == address(Int.self) { return .integer(Int64(start.load(as: Int.self))) }
      return nil
    }
  }
}
