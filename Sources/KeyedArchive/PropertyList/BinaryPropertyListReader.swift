internal import Foundation

/// Reads Apple's binary property list form (`bplist00`), within limits, without instantiating anything.
///
/// Every offset and count is checked before use, so that no input can trap. A shared object is read at each reference;
/// `maximumValues` and `maximumBytes` limit the expansion of a small file.
struct BinaryPropertyListReader {
  static let magic = Array("bplist0".utf8)

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let tableOffset: Int
  private let topObject: Int
  private let limits: PropertyListLimits
  private var valuesLeft: Int
  private var bytesLeft: Int
  private var open: Set<Int> = []

  init(_ bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListError) {
    guard bytes.count >= 40, bytes.starts(with: Self.magic) else { throw .notAPropertyList }
    self.bytes = bytes
    self.limits = limits
    valuesLeft = limits.maximumValues
    bytesLeft = limits.maximumBytes
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    func count(at offset: Int) -> Int? {
      var value: UInt64 = 0
      for byte in bytes[offset..<(offset + 8)] { value = value << 8 | UInt64(byte) }
      return Int(exactly: value)
    }
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let objects = count(at: trailer + 8), let top = count(at: trailer + 16),
      let table = count(at: trailer + 24),
      objects > 0, top < objects, table >= 8, table <= trailer, objects <= (trailer - table) / offsetSize
    else { throw .badTrailer }
    objectCount = objects
    topObject = top
    tableOffset = table
  }

  mutating func read() throws(PropertyListError) -> PropertyList {
    try value(of: topObject, depth: 0)
  }

  private func unsigned(at offset: Int, size: Int) throws(PropertyListError) -> UInt64 {
    guard offset >= 0, offset <= bytes.count - size else { throw .truncated(offset: offset) }
    var value: UInt64 = 0
    var place = offset
    // This runs for each object. Without optimisation, a loop over a slice takes ten times as long.
    while place < offset + size {
      value = value << 8 | UInt64(bytes[place])
      place += 1
    }
    return value
  }

  private func offset(of object: Int) throws(PropertyListError) -> Int {
    let value = try unsigned(at: tableOffset + object * offsetSize, size: offsetSize)
    guard let offset = Int(exactly: value), offset >= 8, offset < tableOffset else {
      throw .truncated(offset: Int(clamping: value))
    }
    return offset
  }

  /// The count of a collection or text whose marker is at `offset`, and the start of its content.
  private func length(at offset: Int, elementSize: Int) throws(PropertyListError) -> (count: Int, start: Int) {
    let low = Int(bytes[offset] & 0x0f)
    var count = low
    var start = offset + 1
    if low == 0x0f {
      guard start < tableOffset, bytes[start] & 0xf0 == 0x10 else { throw .truncated(offset: offset) }
      let size = 1 << Int(bytes[start] & 0x0f)
      guard size <= 8, let long = Int(exactly: try unsigned(at: start + 1, size: size)) else {
        throw .truncated(offset: offset)
      }
      count = long
      start += 1 + size
    }
    guard start <= tableOffset, count <= (tableOffset - start) / elementSize else {
      throw .truncated(offset: offset)
    }
    return (count, start)
  }

  private mutating func value(of object: Int, depth: Int) throws(PropertyListError) -> PropertyList {
    guard depth <= limits.maximumDepth else { throw .tooDeep(limit: limits.maximumDepth) }
    valuesLeft -= 1
    guard valuesLeft >= 0 else { throw .tooManyObjects(limit: limits.maximumValues) }
    let offset = try offset(of: object)
    let marker = bytes[offset]
    switch marker >> 4 {
    case 0x0:
      switch marker {
      case 0x00: return .null
      case 0x08: return .boolean(false)
      case 0x09: return .boolean(true)
      default: throw .badObject(offset: offset, marker: marker)
      }
    case 0x1: return try integer(at: offset)
    case 0x2:
      switch marker & 0x0f {
      case 2: return .single(Float(bitPattern: UInt32(try unsigned(at: offset + 1, size: 4))))
      case 3: return .real(Double(bitPattern: try unsigned(at: offset + 1, size: 8)))
      default: throw .badObject(offset: offset, marker: marker)
      }
    case 0x3:
      guard marker == 0x33 else { throw .badObject(offset: offset, marker: marker) }
      return .date(Double(bitPattern: try unsigned(at: offset + 1, size: 8)))
    case 0x4:
      let (count, start) = try length(at: offset, elementSize: 1)
      try spend(count)
      return .data(Data(bytes[start..<(start + count)]))
    case 0x5, 0x6: return .string(try text(at: offset))
    case 0x8:
      let size = Int(marker & 0x0f) + 1
      guard size <= 8, let index = UInt32(exactly: try unsigned(at: offset + 1, size: size)) else {
        throw .badObject(offset: offset, marker: marker)
      }
      return .uid(index)
    case 0xA, 0xC:
      let (count, start) = try length(at: offset, elementSize: referenceSize)
      return .array(
        try nested(object) { (reader) throws(PropertyListError) in
          try reader.elements(count: count, at: start, depth: depth)
        })
    case 0xD:
      let (count, start) = try length(at: offset, elementSize: referenceSize * 2)
      return .dictionary(
        try nested(object) { (reader) throws(PropertyListError) in
          try reader.entries(count: count, at: start, depth: depth)
        })
    default: throw .badObject(offset: offset, marker: marker)
    }
  }

  private func integer(at offset: Int) throws(PropertyListError) -> PropertyList {
    let size = 1 << Int(bytes[offset] & 0x0f)
    switch size {
    case 1, 2, 4: return .integer(Int64(try unsigned(at: offset + 1, size: size)))
    case 8: return .integer(Int64(bitPattern: try unsigned(at: offset + 1, size: 8)))
    case 16:
      let high = try unsigned(at: offset + 1, size: 8)
      let low = try unsigned(at: offset + 9, size: 8)
      guard high == 0 else { throw .badObject(offset: offset, marker: bytes[offset]) }
      return .unsigned(low)
    default: throw .badObject(offset: offset, marker: bytes[offset])
    }
  }

  private mutating func text(at offset: Int) throws(PropertyListError) -> String {
    let isNarrow = bytes[offset] >> 4 == 0x5
    let (count, start) = try length(at: offset, elementSize: isNarrow ? 1 : 2)
    try spend(isNarrow ? count : count * 2)
    let text: String?
    if isNarrow {
      text = String(validating: bytes[start..<(start + count)], as: UTF8.self)
    } else {
      let units = (0..<count).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
      text = String(validating: units, as: UTF16.self)
    }
    guard let text else { throw .badText(offset: offset) }
    return text
  }

  /// Subtracts the size of a text or data from the allowed total.
  private mutating func spend(_ count: Int) throws(PropertyListError) {
    guard count <= bytesLeft else { throw .tooManyBytes(limit: limits.maximumBytes) }
    bytesLeft -= count
  }

  private mutating func nested<Result>(
    _ object: Int, _ body: (inout Self) throws(PropertyListError) -> Result
  ) throws(PropertyListError) -> Result {
    guard open.insert(object).inserted else { throw .cycle(object: object) }
    defer { open.remove(object) }
    return try body(&self)
  }

  private func reference(at offset: Int) throws(PropertyListError) -> Int {
    let value = try unsigned(at: offset, size: referenceSize)
    guard let object = Int(exactly: value), object < objectCount else {
      throw .badReference(object: Int(clamping: value), count: objectCount)
    }
    return object
  }

  private mutating func elements(count: Int, at start: Int, depth: Int) throws(PropertyListError)
    -> [PropertyList]
  {
    var elements: [PropertyList] = []
    for index in 0..<count {
      elements.append(try value(of: reference(at: start + index * referenceSize), depth: depth + 1))
    }
    return elements
  }

  private mutating func entries(
    count: Int, at start: Int, depth: Int
  ) throws(PropertyListError) -> [String: PropertyList] {
    var entries: [String: PropertyList] = [:]
    for index in 0..<count {
      let keyObject = try reference(at: start + index * referenceSize)
      guard case .string(let key) = try value(of: keyObject, depth: depth + 1) else {
        throw .keyIsNotAString(object: keyObject)
      }
      let entry = try value(of: reference(at: start + (count + index) * referenceSize), depth: depth + 1)
      guard entries.updateValue(entry, forKey: key) == nil else { throw .duplicateKey(key) }
    }
    return entries
  }
}
