public import Foundation

/// The value of an expression: a constant of its text, or the result of an evaluation.
///
/// Two values are equal here if they have the same kind and value; texts are compared by their bytes. The `==` of a
/// predicate, where 1 equals 1.0, is different (`Equality`).
public enum Value: Sendable {
  /// nil, NULL.
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case decimal(Decimal)
  case string(String)
  case data(Data)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  case uuid(UUID)
  /// The text of a URL.
  case url(String)
  /// An ordered collection.
  case array([Value])
  /// An unordered collection without duplicates. Its members are stored in a fixed order, so that results are the same
  /// on every machine.
  case set([Value])
  case dictionary([String: Value])
  case object(ObjectReference)
  /// The name of a class; only a message to the class looks it up (`FunctionTable.message`).
  case className(String)
}

extension Value: Hashable {
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.decimal(let a), .decimal(let b)): a == b
    case (.string(let a), .string(let b)), (.url(let a), .url(let b)), (.className(let a), .className(let b)):
      Bytes.areEqual(a, b)
    case (.data(let a), .data(let b)): a == b
    case (.date(let a), .date(let b)): a.bitPattern == b.bitPattern
    case (.uuid(let a), .uuid(let b)): a == b
    case (.array(let a), .array(let b)), (.set(let a), .set(let b)): a == b
    case (.dictionary(let a), .dictionary(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let flag): hasher.combine(flag)
    case .integer(let number): hasher.combine(number)
    case .double(let number), .date(let number): hasher.combine(number.bitPattern)
    case .decimal(let number): hasher.combine(number)
    case .string(let text), .url(let text), .className(let text): Bytes.hash(text, into: &hasher)
    case .data(let bytes): hasher.combine(bytes)
    case .uuid(let uuid): hasher.combine(uuid)
    case .array(let members), .set(let members): hasher.combine(members)
    case .dictionary(let entries): hasher.combine(entries.count)
    case .object(let object): hasher.combine(object)
    }
  }
}

extension Value {
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The members of an array or a set.
  public var members: [Value]? {
    switch self {
    case .array(let members), .set(let members): members
    default: nil
    }
  }

  /// The kind of value, for a message.
  public var kind: String {
    switch self {
    case .null: "nil"
    case .boolean: "a truth value"
    case .integer, .double, .decimal: "a number"
    case .string: "a string"
    case .data: "data"
    case .date: "a date"
    case .uuid: "a UUID"
    case .url: "a URL"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    case .object: "an object"
    case .className: "a class"
    }
  }
}
