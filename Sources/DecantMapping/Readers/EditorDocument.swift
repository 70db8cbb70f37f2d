internal import DecantModel
internal import Foundation

/// The objects of an `xcmapping.xml`, which is a Core Data XML store (docs/formats/xml-stores.md 1).
struct EditorDocument {
  struct Object {
    let id: String
    private let tree: XMLTree

    init(_ tree: XMLTree) {
      id = tree.attributes["id"] ?? ""
      self.tree = tree
    }

    private func attribute(_ name: String) -> XMLTree? {
      tree.children.first { $0.name == "attribute" && $0.attributes["name"] == name }
    }

    /// A string with escapes decoded; `nil` if it is missing or empty.
    func text(_ name: String) -> String? {
      guard let text = attribute(name)?.text.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty
      else {
        return nil
      }
      return EditorDocument.unescaped(text)
    }

    func integer(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

    /// Bytes, written as base64 with line breaks.
    ///
    /// - Returns: `nil` if they are missing; empty data if they can't be decoded.
    func data(_ name: String) -> Data? {
      guard let text = attribute(name)?.text else { return nil }
      var bytes = Data(text.utf8)
      let count = bytes.withUnsafeMutableBytes { Self.removeBlanks(in: $0) }
      return Data(base64Encoded: bytes.prefix(count)) ?? Data()
    }

    /// Moves the bytes that aren't white space to the start.
    private static func removeBlanks(in bytes: UnsafeMutableRawBufferPointer) -> Int {
      var (count, place) = (0, 0)
      while place < bytes.count {
        if bytes[place] > 0x20 {
          bytes[count] = bytes[place]
          count += 1
        }
        place += 1
      }
      return count
    }

    func references(_ name: String) -> [String] {
      let relationship = tree.children.first { $0.name == "relationship" && $0.attributes["name"] == name }
      return (relationship?.attributes["idrefs"] ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
    }
  }

  let root: Object
  private let byID: [String: Object]
  /// The ids of the objects of each type, in file order.
  let ids: [String: [String]]

  init(_ data: Data, path: String) throws(MappingModelError) {
    let tree: XMLTree
    do throws(ModelError) {
      tree = try XMLTree.parse(data)
    } catch {
      throw .malformed(path: path, reason: error.description)
    }
    var byID: [String: Object] = [:]
    var ids: [String: [String]] = [:]
    for element in tree.children where element.name == "object" {
      let object = Object(element)
      ids[element.attributes["type"] ?? "", default: []].append(object.id)
      if byID[object.id] == nil { byID[object.id] = object }
    }
    guard tree.name == "database", let root = ids[Self.modelType]?.first.flatMap({ byID[$0] }) else {
      throw .malformed(path: path, reason: "it holds no mapping model (XDDEVMAPPINGMODEL)")
    }
    self.root = root
    self.byID = byID
    self.ids = ids
  }

  static let modelType = "XDDEVMAPPINGMODEL"

  func objects(_ name: String, of object: Object) -> [Object] {
    object.references(name).compactMap { byID[$0] }
  }

  /// Decodes `\u3c00`: the two bytes of a UTF-16 unit, low byte first, in hexadecimal (docs/formats/xml-stores.md 3.2).
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
