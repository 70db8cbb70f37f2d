public import Foundation

/// A property list as a plain value: what Core Data keeps in `Z_METADATA`, in `VersionInfo.plist` and in archives.
///
/// Foundation's own classes are left aside on purpose: on Linux they hide the archive references (`uid`) and turn
/// numbers into one class, so that a list could not be written back as it was read.
public indirect enum PropertyList: Sendable, Hashable {
  case boolean(Bool)
  case integer(Int64)
  /// An integer above `Int64.max`, which the binary form writes in 16 bytes.
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
  /// By content; texts and keys by their bytes, because “é” has two forms that Swift takes for one.
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

  /// The text, where this is a string.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The bytes, where this is data.
  public var data: Data? {
    if case .data(let bytes) = self { bytes } else { nil }
  }

  /// The whole number, where this is one.
  public var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  /// The elements, where this is an array.
  public var array: [PropertyList]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The entries, where this is a dictionary.
  public var dictionary: [String: PropertyList]? {
    if case .dictionary(let entries) = self { entries } else { nil }
  }

  /// The entry of that key, where this is a dictionary that has one.
  public subscript(key: String) -> PropertyList? { dictionary?[key] }
}
