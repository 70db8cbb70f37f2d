/// The type of an attribute, with the number that Core Data gives it in archives and version hashes
/// (docs/formats/model-files.md 2.8).
public enum AttributeType: Int32, Sendable, Hashable, CaseIterable {
  case undefined = 0
  case integer16 = 100
  case integer32 = 200
  case integer64 = 300
  case decimal = 400
  case double = 500
  case float = 600
  case string = 700
  case boolean = 800
  case date = 900
  case binary = 1000
  case uuid = 1100
  case uri = 1200
  case transformable = 1800
  case objectID = 2000
  case composite = 2100

  /// The facts that depend on the type: name, content, column, and type in Swift.
  package var traits: AttributeTraits {
    switch self {
    case .undefined: AttributeTraits("Undefined", nil, nil, "Any")
    case .integer16: AttributeTraits("Integer 16", .integer(-0x8000...0x7fff), (0, "INTEGER"), "Int16")
    case .integer32:
      AttributeTraits("Integer 32", .integer(-0x8000_0000...0x7fff_ffff), (0, "INTEGER"), "Int32")
    case .integer64: AttributeTraits("Integer 64", .integer(.min ... .max), (0, "INTEGER"), "Int64")
    case .decimal: AttributeTraits("Decimal", .decimal, (3, "DECIMAL"), "NSDecimalNumber")
    case .double: AttributeTraits("Double", .real(isSingle: false), (2, "FLOAT"), "Double")
    case .float: AttributeTraits("Float", .real(isSingle: true), (2, "FLOAT"), "Float")
    case .string: AttributeTraits("String", .string, (4, "VARCHAR"), "String")
    case .boolean: AttributeTraits("Boolean", .boolean, (0, "INTEGER"), "Bool")
    case .date: AttributeTraits("Date", .date, (2, "TIMESTAMP"), "Date")
    case .binary: AttributeTraits("Binary", .data(isTransformed: false), (8, "BLOB"), "Data")
    case .uuid: AttributeTraits("UUID", .uuid, (6, "BLOB"), "UUID")
    case .uri: AttributeTraits("URI", .url, (5, "VARCHAR"), "URL")
    case .transformable: AttributeTraits("Transformable", .data(isTransformed: true), (7, "BLOB"), "Data")
    case .objectID: AttributeTraits("ObjectID", nil, nil, "Any")
    case .composite: AttributeTraits("Composite", nil, nil, "Any")
    }
  }

  package var content: AttributeContent? { traits.content }

  /// The type's name in model files and the model editor.
  public var name: String { traits.name }

  /// The type of that name in a model file; `nil` if there is none.
  public init?(named name: String) {
    guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = type
  }

  /// The values that an integer type holds; `nil` for every other type.
  public var integerRange: ClosedRange<Int64>? { if case .integer(let range) = content { range } else { nil } }
}
