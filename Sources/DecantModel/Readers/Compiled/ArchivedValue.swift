internal import Foundation
internal import KeyedArchive

/// Converts an archived value into an attribute's default or limit (docs/formats/model-files.md 4.2, 4.3).
enum ArchivedValue {
  /// The value in the form of the attribute's type; `nil` for a transformable, composite, undefined or object ID type.
  ///
  /// Archives have numbers as the author typed them: a Boolean may be 0, and a Double may be a whole number.
  ///
  /// - Throws: `ArchiveError.unknownClass` if the value doesn't fit that type.
  static func value(_ node: ArchiveNode, type: AttributeType) throws(ArchiveError) -> AttributeValue? {
    let value: AttributeValue?
    switch type.content {
    case .data(isTransformed: true), nil: return nil
    case .string: value = node.string.map(AttributeValue.string)
    case .boolean: value = integer(node).map { .boolean($0 != 0) }
    case .integer: value = integer(node).map(AttributeValue.integer)
    case .real: value = double(node).map(AttributeValue.double)
    case .decimal: value = decimal(node).map(AttributeValue.decimal)
    case .date: value = node.date.map(AttributeValue.date)
    case .data: value = node.data.map(AttributeValue.binary)
    case .uuid: value = (node.uuid ?? node.string.flatMap(UUID.init(uuidString:))).map(AttributeValue.uuid)
    case .url: value = (node.url ?? node.string).map(AttributeValue.uri)
    }
    guard let value else {
      throw .unknownClass(node.className ?? node.kind, expected: "a value of type \(type.name)")
    }
    return value
  }

  private static func integer(_ node: ArchiveNode) -> Int64? {
    switch node.plain {
    case .boolean(let flag): flag ? 1 : 0
    case .integer(let number): number
    case .real(let number): Int64(exactly: number.rounded(.towardZero))
    case .single(let number): Int64(exactly: number.rounded(.towardZero))
    default: nil
    }
  }

  private static func double(_ node: ArchiveNode) -> Double? {
    let number: Double? =
      switch node.plain {
      case .boolean(let flag): flag ? 1 : 0
      case .integer(let number): Double(number)
      case .unsigned(let number): Double(number)
      case .real(let number): number
      case .single(let number): Double(number)
      default: nil
      }
    return number.flatMap { $0.isNaN ? nil : $0 }
  }

  private static func decimal(_ node: ArchiveNode) -> Decimal? {
    if let decimal = node.decimal { return decimal }
    if case .integer(let number)? = node.plain { return Decimal(number) }
    // The number is converted through text, because Foundation's conversion stops the process for numbers out of
    // range.
    return double(node).flatMap { Decimal(string: "\($0)", locale: Locale(identifier: "en_US_POSIX")) }
  }
}
