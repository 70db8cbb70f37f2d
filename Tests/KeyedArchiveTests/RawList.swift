import Foundation
import KeyedArchive

/// A binary property list that tests build by hand, with any fault.
struct RawList {
  var objects: [[UInt8]]
  var top = 0
  var referenceSize: UInt8 = 1
  var offsetSize: UInt8 = 2
  /// Changes to the finished trailer: the position in it, and the byte.
  var trailer: [Int: UInt8] = [:]

  init(_ objects: [UInt8]...) {
    self.objects = objects
  }

  init(objects: [[UInt8]]) {
    self.objects = objects
  }

  var data: Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for offset in offsets { bytes += Self.bigEndian(offset, size: Int(offsetSize)) }
    var end: [UInt8] = [0, 0, 0, 0, 0, 0, offsetSize, referenceSize]
    for number in [objects.count, top, table] { end += Self.bigEndian(number, size: 8) }
    for (place, byte) in trailer { end[place] = byte }
    return Data(bytes + end)
  }

  func parse(_ limits: PropertyListLimits = PropertyListLimits()) throws -> PropertyList {
    try PropertyList(parsing: data, limits: limits)
  }

  static func bigEndian(_ value: Int, size: Int) -> [UInt8] {
    (0..<size).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
  }
}
