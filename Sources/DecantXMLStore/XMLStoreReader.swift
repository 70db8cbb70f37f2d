internal import DecantModel
internal import DecantStore
internal import Foundation
internal import KeyedArchive
internal import XMLReading

/// Reads an XML store object by object (docs/formats/xml-stores.md 1, 2, 3).
final class XMLStoreReader {
  private static let maximumProperties = 10_000
  /// The largest object in bytes of text.
  private static let maximumObject = 128 << 20

  let path: String
  let uuid: String
  /// The last assigned number (docs/formats/xml-stores.md 2); 0 if the file doesn't state it.
  let nextObjectID: Int64
  let metadata: [String: PropertyList]
  private let scanner: XMLScanner

  /// Opens the file and reads the part before the objects.
  ///
  /// - Parameter pulse: Called before each read of the file; false cancels the reading.
  init(_ path: String, pulse: @escaping () -> Bool = { true }) throws(StoreError) {
    self.path = path
    let scanner = try XMLScanner(path, pulse: pulse)
    self.scanner = scanner
    guard case .start(let root) = try scanner.next() else { throw scanner.fault("the file holds no element") }
    guard root.name == "database" else { throw .notXMLStore(path: path, root: root.name) }
    guard case .start(let info) = try scanner.next(), info.name == "databaseInfo" else {
      throw scanner.fault("“databaseInfo” is expected after “database”")
    }
    var texts: [String: String] = [:]
    var metadata: [String: PropertyList] = [:]
    var names: Set<String> = []
    while case .start(let tag) = try scanner.next() {
      guard names.insert(tag.name).inserted else { throw scanner.fault("“\(tag.name)” is there twice") }
      switch tag.name {
      case "metadata":
        var reader = XMLMetadataReader(scanner)
        metadata = try reader.entries()
      case "version", "UUID", "nextObjectID":
        guard case .end = try scanner.next(), scanner.text.count < 200 else {
          throw scanner.fault("“\(tag.name)” holds no plain text")
        }
        texts[tag.name] = String(decoding: scanner.text, as: UTF8.self).trimmingCharacters(
          in: .whitespacesAndNewlines)
      default: throw scanner.fault("“databaseInfo” holds the unknown element “\(tag.name)”")
      }
    }
    guard let uuid = texts["UUID"], UUID(uuidString: uuid) != nil else {
      throw scanner.fault("the store's UUID is missing or invalid")
    }
    let last = texts["nextObjectID"] ?? "0"
    guard let number = Int64(last), (0..<Int64.max / 4).contains(number) else {
      throw scanner.fault("“\(last.prefix(40))” isn't a number for “nextObjectID”")
    }
    self.uuid = uuid
    nextObjectID = number
    self.metadata = metadata
  }

  func next() throws(StoreError) -> XMLObject? {
    switch try scanner.next() {
    case .finish: return nil
    case .end:
      // After the end of “database” only comments may follow.
      guard case .finish = try scanner.next() else { throw scanner.fault("something follows “database”") }
      return nil
    case .start(let tag):
      guard tag.name == "object" else {
        throw scanner.fault("“\(tag.name)” stands where an “object” is expected")
      }
      return try object(tag)
    }
  }

  private func object(_ tag: XMLTag) throws(StoreError) -> XMLObject {
    guard let id = try short("id", of: tag), let type = try short("type", of: tag), !type.isEmpty else {
      throw scanner.fault("an object has no id or no type")
    }
    guard let key = XMLObject.key(of: id) else {
      throw scanner.fault("“\(id.prefix(40))” isn't the id of an object: a “z” and a number from 1 up")
    }
    var object = XMLObject(id: id, key: key, type: type)
    var names: Set<String> = []
    var bytes = 0
    while case .start(let tag) = try scanner.next() {
      guard tag.name == "attribute" || tag.name == "relationship" else {
        throw fault(object, nil, "it holds the unknown element “\(tag.name)”")
      }
      guard let name = try short("name", of: tag), !name.isEmpty else {
        throw fault(object, nil, "a property has no name")
      }
      guard names.insert(name).inserted else { throw fault(object, name, "the property is there twice") }
      guard names.count <= Self.maximumProperties else {
        throw fault(object, name, "the object has more than \(Self.maximumProperties) properties")
      }
      let type = try short("type", of: tag)
      guard case .end = try scanner.next() else {
        throw fault(object, name, "the property holds other elements")
      }
      let text = scanner.takeText()
      let references = tag["idrefs"] ?? ""
      bytes += text.count + references.utf8.count
      guard bytes <= Self.maximumObject else {
        throw fault(object, name, "the object is larger than \(Self.maximumObject >> 20) MiB")
      }
      if tag.name == "attribute" {
        object.attributes.append(.init(name: name, type: type, text: text))
      } else {
        guard text.allSatisfy(XMLScanner.isSpace) else {
          throw fault(object, name, "a relationship holds text")
        }
        object.relationships.append(
          .init(
            name: name, type: type, destination: try short("destination", of: tag), references: references))
      }
    }
    return object
  }

  private func short(_ name: String, of tag: XMLTag) throws(StoreError) -> String? {
    guard let text = tag[name] else { return nil }
    guard text.utf8.count <= 1000 else { throw scanner.fault("“\(name)” of “\(tag.name)” is too long") }
    return text
  }

  func fault(_ object: XMLObject, _ property: String?, _ reason: String) -> StoreError {
    .xmlContent(path: path, object: object.id, entity: object.type, property: property, reason: reason)
  }
}
