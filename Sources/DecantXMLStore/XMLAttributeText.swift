internal import DecantModel
internal import DecantSQLite
internal import Foundation

/// Converts the text of an attribute in an XML store into the stored value of an SQLite store
/// (docs/formats/core-data-sqlite.md 7.1).
///
/// Genuine files prove the forms of strings, booleans, Integer 16, dates and binary data. Other types are accepted if
/// their form isn't in doubt (docs/formats/xml-stores.md 3.3).
enum XMLAttributeText {
  /// Why a text isn't accepted, as the end of a sentence.
  struct Refusal: Error {
    let reason: String
  }

  static func value(_ item: XMLObject.Attribute, of attribute: Attribute) throws(Refusal) -> SQLiteValue {
    if let type = item.type, !words(for: attribute.type.content).contains(type.lowercased()) {
      throw Refusal(reason: "the file says “\(type.prefix(40))” where the model has \(attribute.type.name)")
    }
    if case .data = attribute.type.content {
      guard let bytes = Base64Text.bytes(of: item.text) else { throw Refusal(reason: "its data isn't Base64") }
      // An attribute with external storage has values with a marker (docs/formats/core-data-sqlite.md 7.2).
      return .blob(Data((attribute.allowsExternalBinaryDataStorage ? [1] : []) + bytes))
    }
    let text = String(decoding: item.text, as: UTF8.self)
    if attribute.type == .string { return .text(try XMLStringEscapes.unescaped(text)) }
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let value = try value(trimmed, attribute) else {
      throw Refusal(reason: "“\(trimmed.prefix(40))” isn't a value of type \(attribute.type.name)")
    }
    return value
  }

  private static func words(for content: AttributeContent?) -> Set<String> {
    switch content {
    case .string: ["string"]
    case .boolean: ["bool", "boolean"]
    case .integer: ["int16", "int32", "int64"]
    case .decimal: ["decimal"]
    case .real: ["double", "float"]
    case .date: ["date"]
    case .data(let isTransformed): isTransformed ? ["transformable", "binary"] : ["binary"]
    case .uuid: ["uuid"]
    case .url: ["uri", "url"]
    case nil: []
    }
  }

  private static func value(_ text: String, _ attribute: Attribute) throws(Refusal) -> SQLiteValue? {
    switch attribute.type.content {
    case .boolean:
      switch text.lowercased() {
      case "1", "yes", "true": return .integer(1)
      case "0", "no", "false": return .integer(0)
      default: return nil
      }
    case .integer(let range):
      guard let number = Int64(text), range.contains(number) else { return nil }
      return .integer(number)
    case .real(isSingle: false), .date: return number(text).map(SQLiteValue.real)
    case .real:
      // The value of a 32-bit float, as the framework would write it.
      return number(text).map { .real(Double(Float($0))) }
    case .decimal:
      // The column's affinity converts it into a number, as for the framework's values.
      return number(text) != nil && Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) != nil
        ? .text(text) : nil
    case .uuid:
      return UUID(uuidString: text).map { uuid in .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) }) }
    case .url: return text.isEmpty ? nil : .text(try XMLStringEscapes.unescaped(text))
    case .string, .data, nil: return nil
    }
  }

  /// A finite decimal number, without Swift's special forms.
  private static func number(_ text: String) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
      let number = Double(text),
      number.isFinite
    else { return nil }
    return number
  }
}
