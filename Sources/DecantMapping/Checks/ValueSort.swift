internal import DecantModel
internal import Foundation
internal import PredicateFormat

/// The sorts of values.
///
/// Apart from bytes (see `goes(into:)`), values of one sort aren't converted into another sort automatically.
enum ValueSort: Equatable {
  case number
  case string
  case date
  case data
  case uuid
  case uri
  /// Bytes that only the application understands.
  case transformable
  case composite

  /// The sort of an attribute's values; `nil` if the attribute may have values of any sort.
  init?(_ type: AttributeType) {
    switch type.content {
    case .integer, .decimal, .real, .boolean: self = .number
    case .string: self = .string
    case .date: self = .date
    case .data(let isTransformed): self = isTransformed ? .transformable : .data
    case .uuid: self = .uuid
    case .url: self = .uri
    case nil where type == .composite: self = .composite
    case nil: return nil
    }
  }

  init?(_ value: Value) {
    switch value {
    case .boolean, .integer, .double, .decimal: self = .number
    case .string: self = .string
    case .data: self = .data
    case .date: self = .date
    case .uuid: self = .uuid
    case .url: self = .uri
    case .null, .array, .set, .dictionary, .object, .className: return nil
    }
  }

  init?(castTo type: String) {
    switch type {
    case "NSDate": self = .date
    case "NSNumber", "NSDecimalNumber": self = .number
    case "NSString": self = .string
    case "NSUUID": self = .uuid
    case "NSURL": self = .uri
    case "NSData": self = .data
    default: return nil
    }
  }

  var sample: Value {
    switch self {
    case .number: .integer(1)
    case .string: .string("1")
    case .date: .date(0)
    case .data: .data(Data())
    case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .uri: .url("1")
    case .transformable: .data(Data())
    case .composite: .dictionary([:])
    }
  }

  func goes(into wanted: ValueSort) -> Bool {
    self == wanted || [self, wanted] == [.data, .transformable] || [self, wanted] == [.transformable, .data]
  }

  var words: String {
    switch self {
    case .number, .string, .date, .data, .uuid: sample.kind
    case .uri: "a URI"
    case .transformable: "transformed bytes"
    case .composite: "a composite value"
    }
  }

  func advice(for other: ValueSort) -> String {
    switch (self, other) {
    case (.number, .string): "Write CAST(…, 'NSString') around the expression"
    case (.string, .number):
      "Write parseNumber(…) around the expression, or CAST(…, 'NSNumber') if every string is a plain number"
    case (.number, .date): "Write CAST(…, 'NSDate') around seconds since 2001"
    case (.date, .number): "Write CAST(…, 'NSNumber') around the expression, which gives seconds since 2001"
    default: "Write an expression that gives \(other.words), or null to keep the attribute's default"
    }
  }
}
