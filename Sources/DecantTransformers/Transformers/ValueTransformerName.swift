// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Foundation's.

/// The name under which a value transformer is known (Foundation's NSValueTransformerName).
public struct ValueTransformerName: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  public static let negateBooleanTransformerName = Self("NSNegateBoolean")
  public static let isNilTransformerName = Self("NSIsNil")
  public static let isNotNilTransformerName = Self("NSIsNotNil")
  /// Archives of the old form without keys, which can't be read here.
  public static let unarchiveFromDataTransformerName = Self("NSUnarchiveFromData")
  public static let keyedUnarchiveFromDataTransformerName = Self("NSKeyedUnarchiveFromData")
  public static let secureUnarchiveFromDataTransformerName = Self("NSSecureUnarchiveFromData")
}
