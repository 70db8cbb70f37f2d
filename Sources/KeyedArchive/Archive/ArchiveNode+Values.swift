public import Foundation

extension ArchiveNode {
  /// The text, if this is a plain string or an archived string object.
  public var string: String? {
    if let text = value.string { return text }
    guard ["NSString", "NSMutableString"].contains(className) else { return nil }
    return value["NS.string"]?.string
  }

  /// The bytes, if this is plain data or an archived data object.
  public var data: Data? {
    if let data = value.data { return data }
    guard ["NSData", "NSMutableData"].contains(className), let content = try? member("NS.data") else {
      return nil
    }
    return content.value.data
  }

  /// The date in seconds since 2001-01-01 00:00:00 UTC, if this is a date.
  public var date: Double? {
    if case .date(let seconds) = value { return seconds }
    guard className == "NSDate" else { return nil }
    switch value["NS.time"] {
    case .real(let seconds): return seconds
    case .single(let seconds): return Double(seconds)
    case .integer(let seconds): return Double(seconds)
    default: return nil
    }
  }

  /// The UUID, if this is a UUID.
  public var uuid: UUID? {
    guard className == "NSUUID", let data = value["NS.uuidbytes"]?.data, data.count == 16 else { return nil }
    let b = [UInt8](data)
    return UUID(
      uuid: (
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
      ))
  }

  /// The text of a URL, if this is a URL without a base URL.
  public var url: String? {
    guard className == "NSURL", (value["NS.base"] ?? .uid(0)) == .uid(0) else { return nil }
    return (try? member("NS.relative"))?.string
  }

  /// The exact decimal, if this is a decimal number.
  ///
  /// It has up to eight 16-bit digits and a power of ten (docs/formats/model-files.md 4.2).
  public var decimal: Decimal? {
    guard ["NSDecimalNumberPlaceholder", "NSDecimalNumber"].contains(className),
      let mantissa = (try? member("NS.mantissa"))?.data, mantissa.count == 16,
      let length = value["NS.length"]?.integer, (0...8).contains(length),
      let exponent = value["NS.exponent"]?.integer, (-128...127).contains(exponent)
    else { return nil }
    let isNegative = value["NS.negative"] == .boolean(true)
    // A sign without digits means “not a number”, which isn't an exact decimal.
    if length == 0 { return isNegative ? nil : Decimal(0) }
    let bytes = [UInt8](mantissa)
    let isLittleEndian = value["NS.mantissa.bo"]?.integer ?? 1 == 1
    var number: UInt128 = 0
    for digit in stride(from: Int(length) - 1, through: 0, by: -1) {
      let (first, second) = (UInt128(bytes[2 * digit]), UInt128(bytes[2 * digit + 1]))
      number = number << 16 | (isLittleEndian ? second << 8 | first : first << 8 | second)
    }
    return Decimal(
      string: "\(isNegative ? "-" : "")\(number)e\(exponent)", locale: Locale(identifier: "en_US_POSIX"))
  }

  /// The text of a key; `nil` if the key is missing or its value is nil.
  ///
  /// - Throws: `ArchiveError` if the value isn't a text.
  public func string(_ key: String) throws(ArchiveError) -> String? {
    guard let member = try member(key) else { return nil }
    guard let text = member.string else { throw wrong(member, key: key, expected: "text") }
    return text
  }

  /// The text of a required key.
  ///
  /// - Throws: `ArchiveError` if the text is missing or empty, or if the value isn't a text.
  public func requiredString(_ key: String) throws(ArchiveError) -> String {
    guard let text = try string(key), !text.isEmpty else {
      throw .missing(className: className ?? "object", key: key)
    }
    return text
  }

  /// The whole number of a key; `nil` if the key is missing or its value is nil.
  ///
  /// - Throws: `ArchiveError.wrongKind` if the value isn't a whole number.
  public func integer(_ key: String) throws(ArchiveError) -> Int64? {
    guard let member = try member(key) else { return nil }
    switch member.value {
    case .integer(let number): return number
    case .boolean(let flag): return flag ? 1 : 0
    case .real(let number):
      if let whole = Int64(exactly: number) { return whole }
    default: break
    }
    throw wrong(member, key: key, expected: "a whole number")
  }

  /// The whole number of a key, which must fit 32 bits; `nil` if the key is missing or its value is nil.
  ///
  /// - Throws: `ArchiveError.wrongKind` if the value isn't such a number.
  public func integer32(_ key: String) throws(ArchiveError) -> Int? {
    guard let number = try integer(key) else { return nil }
    guard let small = Int32(exactly: number) else {
      throw .wrongKind(
        className: className ?? "object", key: key, found: "the number \(number)",
        expected: "a whole number of 32 bits")
    }
    return Int(small)
  }

  /// The truth value of a key; false if the key is missing or its value is nil.
  public func flag(_ key: String) throws(ArchiveError) -> Bool {
    guard let member = try member(key) else { return false }
    switch member.value {
    case .boolean(let flag): return flag
    case .integer(let number): return number != 0
    default: throw wrong(member, key: key, expected: "a truth value")
    }
  }
}
