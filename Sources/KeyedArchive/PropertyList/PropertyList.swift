public import Foundation

/// A property list as a plain value: from `Z_METADATA`, `VersionInfo.plist` or an archive.
///
/// The binary form isn't read with Foundation. On Linux, Foundation hides archive references (`uid`) and has one class
/// for all numbers, so a list could not be written back unchanged.
public indirect enum PropertyList: Sendable, Hashable {
  case boolean(Bool)
  case integer(Int64)
  /// An integer that the binary form keeps in 16 bytes, as it does for numbers above `Int64.max`.
  case unsigned(UInt64)
  case real(Double)
  /// A real that was written in four bytes.
  case single(Float)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  case data(Data)
  case string(String)
  case array([PropertyList])
  case dictionary([String: PropertyList])
  /// A reference into the object table of a keyed archive.
  case uid(UInt32)
  /// The binary form's null, which Foundation never writes.
  case null
}

extension PropertyList {
  /// Compares the content; texts and keys are compared by bytes, because in Swift both normal forms of “é” are equal.
  public static func == (left: PropertyList, right: PropertyList) -> Bool {
    switch (left, right) {
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.unsigned(let a), .unsigned(let b)): a == b
    case (.real(let a), .real(let b)), (.date(let a), .date(let b)): a == b
    case (.single(let a), .single(let b)): a == b
    case (.data(let a), .data(let b)): a == b
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.array(let a), .array(let b)): a == b
    case (.dictionary(let a), .dictionary(let b)):
      a.count == b.count
        && a.allSatisfy { key, value in
          b.index(forKey: key).map { b[$0].key.utf8.elementsEqual(key.utf8) && b[$0].value == value } ?? false
        }
    case (.uid(let a), .uid(let b)): a == b
    case (.null, .null): true
    default: false
    }
  }

  /// The text, if this is a string.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The bytes, if this is data.
  public var data: Data? {
    if case .data(let bytes) = self { bytes } else { nil }
  }

  /// The whole number, if this is an `integer`; `nil` for an `unsigned`.
  public var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  /// The elements, if this is an array.
  public var array: [PropertyList]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The entries, if this is a dictionary.
  public var dictionary: [String: PropertyList]? {
    if case .dictionary(let entries) = self { entries } else { nil }
  }

  /// The entry of that key, if this is a dictionary with that key.
  public subscript(key: String) -> PropertyList? { dictionary?[key] }
}
