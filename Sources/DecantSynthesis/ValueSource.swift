internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// The values of one attribute column, each computed from the object's number.
struct ValueSource: Sendable {
  package enum Kind: Sendable {
    case boolean
    case integer(IntegerSource)
    case real(RealSource)
    case text(TextSource)
    case uri
    case uuid
    case bytes(ByteSource)
    /// The time of the object's last save, for `now()`.
    case saveTime
    /// The rows are written without a value, for a derivation other than `now()`.
    ///
    /// Counts of related objects are computed after all rows are written; values of other derivations stay nil.
    case later
    /// Always nil: values of an app's own class or transformer, which can't be made here.
    case none
  }

  private let kind: Kind
  private let seed: UInt64
  private let isOptional: Bool
  private let defaultValue: SQLiteValue?
  private let digit: UniqueNumbers.Digit?
  /// A text for the summary if the values don't follow the model's regular expression or class; `nil` otherwise.
  let shortcoming: String?

  /// Makes the source for an attribute that has a column.
  ///
  /// - Parameters:
  ///   - digit: The part of the object's number from which a unique value is made; `nil` if values needn't be unique.
  ///   - rows: The number of objects in the attribute's table.
  ///   - hasExtremes: Whether numbers and dates may have the extreme values of their types.
  init(
    _ attribute: Attribute, property: StoreLayout.Property, seed: UInt64, digit: UniqueNumbers.Digit?,
    rows: Int,
    hasExtremes: Bool
  ) {
    var attribute = attribute
    // Unique values need the whole range of their type.
    if !hasExtremes, digit == nil { attribute.limits = attribute.plausibleLimits }
    (kind, shortcoming) = Self.kind(of: attribute, property: property, rows: rows)
    self.seed = SplitMix64.seed(seed, property.description)
    self.digit = digit
    isOptional = attribute.isOptional && !attribute.isDerived
    defaultValue = digit == nil ? attribute.defaultValue.flatMap { Self.stored($0, as: attribute) } : nil
  }

  static func kind(
    of attribute: Attribute, property: StoreLayout.Property, rows: Int
  ) -> (kind: Kind, shortcoming: String?) {
    if let derivation = attribute.derivationExpression {
      return (derivation.filter { !$0.isWhitespace } == "now()" ? .saveTime : .later, nil)
    }
    let limits = attribute.limits
    switch attribute.type.content {
    case .boolean: return (.boolean, nil)
    case .integer(let range): return (.integer(IntegerSource(range, limits: limits)), nil)
    case .real(let isSingle): return (.real(RealSource(isSingle ? .float : .double, limits: limits)), nil)
    case .decimal: return (.real(RealSource(.decimal, limits: limits)), nil)
    case .date: return (.real(RealSource(.date, limits: limits)), nil)
    case .string:
      let pattern = limits.regularExpression.flatMap(TextPattern.init)
      let isUnread = limits.regularExpression != nil && pattern == nil
      return (
        .text(TextSource(limits, pattern: pattern)),
        isUnread
          ? "\(property): the values don't follow the regular expression “\(limits.regularExpression ?? "")”"
          : nil
      )
    case .url: return (.uri, nil)
    case .uuid: return (.uuid, nil)
    case .data, nil:
      let source = ByteSource(attribute, rows: rows)
      guard source.isTransformable, source.archives == nil else { return (.bytes(source), nil) }
      // An optional attribute stays nil, because the app's class can't read random bytes.
      let owner = (attribute.customClassName ?? attribute.valueTransformerName).map { " of “\($0)”" } ?? ""
      return (
        attribute.isOptional ? .none : .bytes(source),
        "\(property): objects\(owner) can't be made, so the values are "
          + (attribute.isOptional ? "nil" : "bytes that the app can't read")
      )
    }
  }

  /// The number of different values that the attribute can get if they must be unique.
  ///
  /// It is 1 for a derived attribute, and `.max` for an attribute that is always nil, because uniqueness constraints
  /// ignore nil.
  static func capacity(of attribute: Attribute, property: StoreLayout.Property) -> UInt64 {
    switch kind(of: attribute, property: property, rows: 0).kind {
    case .boolean: 2
    case .integer(let source): source.capacity
    case .real(let source): source.capacity
    case .text(let source): source.capacity
    case .uri, .bytes, .none: .max
    case .uuid: 1 << 48
    case .saveTime, .later: 1
    }
  }

  /// The stored form of a default value; `nil` if the value doesn't fit the type.
  private static func stored(_ value: AttributeValue, as attribute: Attribute) -> SQLiteValue? {
    switch (attribute.type.content, value) {
    case (.string, .string(let text)), (.url, .uri(let text)): return .text(text)
    case (.boolean, .boolean(let flag)): return .integer(flag ? 1 : 0)
    case (.integer(let range), .integer(let number)): return range.contains(number) ? .integer(number) : nil
    case (.date, .date(let number)): return .real(number)
    case (.real(let isSingle), .double(let number)): return .real(isSingle ? Double(Float(number)) : number)
    case (.decimal, .decimal(let number)): return Double("\(number)").map(SQLiteValue.real)
    case (.uuid, .uuid(let uuid)): return .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
    case (.data(isTransformed: false), .binary(let data)):
      return .blob(attribute.allowsExternalBinaryDataStorage ? Data([1]) + data : data)
    case (.boolean, _), (.integer, _), (.real, _), (.decimal, _), (.string, _): return nil
    case (.url, _), (.date, _), (.uuid, _), (.data, _), (nil, _): return nil
    }
  }

  func value(of number: Int, external: ExternalFiles) throws(StoreError) -> SQLiteValue {
    var random = SplitMix64(seed, row: number)
    let choice = random.below(20)
    if let digit {
      guard let unique = digit.value(of: number) else { return .null }
      return isOptional && choice == 0 ? .null : self.unique(unique, &random)
    }
    if isOptional, choice < 2 { return .null }
    if let defaultValue, choice < 5 { return defaultValue }
    switch kind {
    case .boolean: return .integer(Int64(random.below(2)))
    case .integer(let source): return .integer(source.value(&random))
    case .real(let source): return .real(source.value(&random))
    case .text(let source): return .text(source.text(&random))
    case .uri: return .text(Self.uri(random.below(1_000_000), &random))
    case .uuid: return .blob(withUnsafeBytes(of: ExternalFiles.uuid(&random).uuid) { Data($0) })
    case .bytes(let source): return .blob(try source.value(of: number, &random, external: external))
    case .saveTime: return .real(700_000_000 + random.unit() * 50_000_000)
    case .later, .none: return .null
    }
  }

  private func unique(_ number: UInt64, _ random: inout SplitMix64) -> SQLiteValue {
    switch kind {
    case .boolean: return .integer(Int64(number & 1))
    case .integer(let source): return .integer(source.unique(number))
    case .real(let source): return .real(source.unique(number))
    case .text(let source): return .text(source.unique(number, &random))
    case .uri: return .text("https://example.org/item/\(number)")
    case .uuid:
      let bytes = withUnsafeBytes(of: ExternalFiles.uuid(&random).uuid) { Data($0) }
      return .blob(bytes.prefix(10) + withUnsafeBytes(of: number.bigEndian) { Data($0) }.suffix(6))
    case .bytes(let source): return .blob(source.unique(number, &random))
    case .saveTime, .later, .none: return .null
    }
  }

  private static func uri(_ number: Int, _ random: inout SplitMix64) -> String {
    switch random.below(6) {
    case 0: "mailto:nota\(number)@example.org"
    case 1: "file:///Users/ana/Documents/nota%20\(number).txt"
    case 2: "https://example.org/b%C3%BAsqueda?q=caf%C3%A9&page=\(number)#fin"
    case 3: "x-notas:item/\(number)"
    default: "https://example.org/notas/\(number)"
    }
  }
}
