internal import Foundation

/// Writes `bplist00`: dictionaries in the order of their keys' UTF-8, and equal values only once, except collections.
///
/// Values are compared by their bytes, because in Swift texts of different normal forms are equal, and so are zero and
/// minus zero.
struct BinaryPropertyListWriter {
  private var objects: [[UInt8]] = []
  private var numbers: [[UInt8]: Int] = [:]
  /// The collections by their numbers, with the numbers of their members.
  ///
  /// A dictionary's keys come before its values. The bytes of collections are made at the end, when the size of a
  /// reference is known.
  private var members: [Int: (marker: UInt8, count: Int, numbers: [Int])] = [:]

  static func bytes(of list: PropertyList) -> [UInt8] {
    var writer = Self()
    let top = writer.number(of: list)
    return writer.assemble(top: top)
  }

  private mutating func number(of value: PropertyList) -> Int {
    switch value {
    case .array(let elements):
      let number = place()
      members[number] = (0xA0, elements.count, elements.map { self.number(of: $0) })
      return number
    case .dictionary(let entries):
      let number = place()
      let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      let keys = sorted.map { self.number(of: .string($0.key)) }
      members[number] = (0xD0, entries.count, keys + sorted.map { self.number(of: $0.value) })
      return number
    default:
      let object = Self.object(value)
      if let number = numbers[object] { return number }
      let number = place(object)
      numbers[object] = number
      return number
    }
  }

  private mutating func place(_ object: [UInt8] = []) -> Int {
    objects.append(object)
    return objects.count - 1
  }

  /// The bytes of a value that isn't a collection.
  private static func object(_ value: PropertyList) -> [UInt8] {
    switch value {
    case .null, .array, .dictionary: [0x00]
    case .boolean(let flag): [flag ? 0x09 : 0x08]
    case .integer(let integer): Self.integer(integer)
    case .unsigned(let integer): [0x14] + [UInt8](repeating: 0, count: 8) + bigEndian(integer, size: 8)
    case .real(let real): [0x23] + bigEndian(real.bitPattern, size: 8)
    case .single(let real): [0x22] + bigEndian(UInt64(real.bitPattern), size: 4)
    case .date(let seconds): [0x33] + bigEndian(seconds.bitPattern, size: 8)
    case .data(let data): head(0x40, count: data.count) + data
    case .string(let text): Self.text(text)
    case .uid(let index): uid(index)
    }
  }

  private static func uid(_ index: UInt32) -> [UInt8] {
    let size = index <= 0xff ? 1 : index <= 0xffff ? 2 : 4
    return [0x80 | UInt8(size - 1)] + bigEndian(UInt64(index), size: size)
  }

  private func assemble(top: Int) -> [UInt8] {
    var output = Array("bplist00".utf8)
    let referenceSize = Self.size(for: objects.count)
    var offsets: [Int] = []
    for (number, object) in objects.enumerated() {
      offsets.append(output.count)
      if let collection = members[number] {
        output += Self.head(collection.marker, count: collection.count)
        for member in collection.numbers { output += Self.bigEndian(UInt64(member), size: referenceSize) }
      } else {
        output += object
      }
    }
    let table = output.count
    let offsetSize = Self.size(for: table)
    for offset in offsets { output += Self.bigEndian(UInt64(offset), size: offsetSize) }
    output += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    output += Self.bigEndian(UInt64(objects.count), size: 8)
    output += Self.bigEndian(UInt64(top), size: 8)
    output += Self.bigEndian(UInt64(table), size: 8)
    return output
  }

  private static func size(for value: Int) -> Int {
    value <= 0xff ? 1 : value <= 0xffff ? 2 : value <= 0xffff_ffff ? 4 : 8
  }

  private static func bigEndian(_ value: UInt64, size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
  }

  /// Negative numbers take eight bytes, and others take the fewest possible, as in CoreFoundation.
  private static func integer(_ value: Int64) -> [UInt8] {
    if value < 0 { return [0x13] + bigEndian(UInt64(bitPattern: value), size: 8) }
    let size = size(for: Int(value))
    let marker: UInt8 = size == 1 ? 0x10 : size == 2 ? 0x11 : size == 4 ? 0x12 : 0x13
    return [marker] + bigEndian(UInt64(value), size: size)
  }

  private static func head(_ marker: UInt8, count: Int) -> [UInt8] {
    count < 15 ? [marker | UInt8(count)] : [marker | 0x0f] + integer(Int64(count))
  }

  private static func text(_ text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return head(0x50, count: text.utf8.count) + Array(text.utf8)
    }
    let units = Array(text.utf16)
    return head(0x60, count: units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
  }
}
