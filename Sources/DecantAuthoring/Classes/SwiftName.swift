/// Converts names of models to Swift code.
enum SwiftName {
  /// Words that need backticks as names.
  private static let keywords: Set<String> = [
    "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
    "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
    "protocol", "public", "repeat", "rethrows", "return", "self", "Self", "static", "struct", "subscript",
    "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// Names of members of managed objects; a property of a model can't have such a name in Swift.
  private static let taken: Set<String> = [
    "entity", "objectID", "managedObjectContext", "isInserted", "isUpdated", "isDeleted", "hasChanges",
    "isFault",
    "description", "debugDescription", "hash", "hashValue", "superclass", "Type", "Protocol", "init", "self",
  ]

  /// Names of types; a class of such a name would hide the type in the generated code.
  private static let types: Set<String> = [
    "NSManagedObject", "NSManagedObjectContext", "NSManagedObjectID", "NSFetchRequest", "NSSet", "NSOrderedSet",
    "NSIndexSet", "NSMutableIndexSet", "NSNumber", "NSDecimalNumber", "String", "Int", "Int16", "Int32",
    "Int64",
    "Double", "Float", "Bool", "Date", "Data", "UUID", "URL", "Any", "Type", "Protocol", "Self", "Optional",
    "Array",
    "Set", "NSObject",
  ]

  /// Whether a text can be a name, possibly with backticks.
  static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first == "_" || first.properties.isXIDStart else {
      return false
    }
    // The underscore alone isn't a name, even with backticks.
    return text != "_" && text.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
  }

  static func isProperty(_ text: String) -> Bool { isIdentifier(text) && !taken.contains(text) }

  static func isClass(_ text: String) -> Bool { isIdentifier(text) && !types.contains(text) }

  static func escaped(_ text: String) -> String { keywords.contains(text) ? "`\(text)`" : text }

  /// The class name of a model without its module: `Notas.Nota` and `.Nota` are `Nota`.
  static func withoutModule(_ name: String) -> String {
    name.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? name
  }

  static func capitalised(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
