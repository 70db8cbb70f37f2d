internal import DecantModel
internal import Foundation

extension MappingModelFile {
  /// Takes the versions out of an `xcmapping.xml` (mapping-models.md 1).
  mutating func takeSource(_ data: Data, path: String) throws(MappingModelError) {
    let root: XMLTree
    do {
      root = try XMLTree.parse(data)
    } catch {
      throw .malformed(path: path, reason: error.description)
    }
    let objects = root.all("object")
    guard root.name == "database",
      let model = objects.first(where: { $0.attributes["type"] == "XDDEVMAPPINGMODEL" })
    else { throw .malformed(path: path, reason: "it holds no mapping model (XDDEVMAPPINGMODEL)") }
    if let source = Self.text("sourcemodelpath", of: model).flatMap(ModelFolder.init(path:)),
      let destination = Self.text("destinationmodelpath", of: model).flatMap(ModelFolder.init(path:))
    {
      endpoints = .modelFolders(source: source, destination: destination)
    }
    // Walk down from the model: files keep rows that nothing leads to (mapping-models.md 1.1, orphans).
    let byID = Dictionary(objects.compactMap { object in object.attributes["id"].map { ($0, object) } }) {
      first, _ in
      first
    }
    for mapping in Self.objects("entitymappings", of: model, byID) {
      guard let entity = Self.text("destinationname", of: mapping) else { continue }
      let rows =
        Self.objects("attributemappings", of: mapping, byID)
        + Self.objects("relationshipmappings", of: mapping, byID)
      destinationProperties[entity, default: []].formUnion(rows.compactMap { Self.text("name", of: $0) })
    }
  }

  private static func objects(_ name: String, of object: XMLTree, _ byID: [String: XMLTree]) -> [XMLTree] {
    guard let relationship = object.all("relationship").first(where: { $0.attributes["name"] == name }),
      let references = relationship.attributes["idrefs"]
    else { return [] }
    return references.split(whereSeparator: \.isWhitespace).compactMap { byID[String($0)] }
  }

  private static func text(_ name: String, of object: XMLTree) -> String? {
    let text = object.all("attribute").first { $0.attributes["name"] == name }?.text
    return text.map { unescaped($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }

  /// Undoes `\u3c00`: the two bytes of a UTF-16 unit, low byte first, in hexadecimal (mapping-models.md 1).
  static func unescaped(_ text: String) -> String {
    var parts = text.components(separatedBy: "\\u")
    guard parts.count > 1 else { return text }
    var units = Array(parts.removeFirst().utf16)
    for part in parts {
      let digits = part.prefix(4)
      if digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let value = UInt16(digits, radix: 16) {
        units.append(value.byteSwapped)
        units += Array(part.dropFirst(4).utf16)
      } else {
        units += Array("\\u".utf16) + Array(part.utf16)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}
