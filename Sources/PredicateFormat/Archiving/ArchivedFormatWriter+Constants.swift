internal import Foundation
internal import KeyedArchive

extension ArchivedFormatWriter {
  mutating func constant(_ value: Value) throws(ArchivingError) -> PropertyList {
    let kept = try kept(value)
    return object(
      ["NSConstantValueExpression", "NSExpression"], ["NSExpressionType": .integer(0), "NSConstantValue": kept])
  }

  private mutating func kept(_ value: Value) throws(ArchivingError) -> PropertyList {
    switch value {
    case .null: return .uid(0)
    case .boolean(let flag): return place(.boolean(flag))
    case .integer(let number): return place(.integer(number))
    case .double(let number): return place(.real(number))
    case .decimal(let number): return try decimal(number)
    case .string(let text): return place(.string(text))
    case .data(let data): return place(.data(data))
    case .date(let seconds): return object(["NSDate"], ["NS.time": .real(seconds)])
    case .uuid(let uuid):
      let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
      return object(["NSUUID"], ["NS.uuidbytes": .data(bytes)])
    case .url(let text):
      let relative = place(.string(text))
      return object(["NSURL"], ["NS.base": .uid(0), "NS.relative": relative])
    case .array(let members): return array(try self.members(members))
    case .set(let members): return object(["NSSet"], ["NS.objects": .array(try self.members(members))])
    case .dictionary: throw .unknownForm("a dictionary")
    case .object: throw .unknownForm("an object")
    case .className: throw .unknownForm("a class within a list")
    }
  }

  /// In a list, nil is archived as an object of the class `NSNull`.
  private mutating func members(_ values: [Value]) throws(ArchivingError) -> [PropertyList] {
    var members: [PropertyList] = []
    for value in values { members.append(value.isNull ? object(["NSNull"], [:]) : try kept(value)) }
    return members
  }

  /// A decimal: its sixteen-bit digits, the lowest first, and a power of ten (docs/formats/model-files.md 4.2).
  private mutating func decimal(_ number: Decimal) throws(ArchivingError) -> PropertyList {
    var digits = DecimalText.text(number)
    let isNegative = digits.hasPrefix("-")
    if isNegative { digits.removeFirst() }
    let point = digits.firstIndex(of: ".").map { digits.distance(from: $0, to: digits.endIndex) - 1 } ?? 0
    digits.removeAll { $0 == "." }
    let trimmed = digits.reversed().drop { $0 == "0" }
    let exponent = digits.count - trimmed.count - point
    guard let mantissa = UInt128(trimmed.isEmpty ? "0" : String(trimmed.reversed())),
      (-128...127).contains(exponent)
    else { throw .unknownForm("the decimal \(digits)") }
    var bytes = Data()
    var length = 0
    for place in 0..<8 {
      let digit = UInt16(truncatingIfNeeded: mantissa >> UInt128(16 * place))
      bytes += [UInt8(digit & 0xff), UInt8(digit >> 8)]
      if digit != 0 { length = place + 1 }
    }
    let kept = place(.data(bytes))
    return object(
      ["NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue"],
      [
        "NS.mantissa": kept, "NS.mantissa.bo": .integer(1), "NS.length": .integer(Int64(length)),
        "NS.exponent": .integer(Int64(exponent)), "NS.negative": .boolean(isNegative && length > 0),
        "NS.compact": .boolean(true),
      ])
  }
}
