internal import DecantStore
internal import Foundation
internal import KeyedArchive
internal import XMLReading

/// Reads the property list inside `<metadata>` of an XML store from the events of the store's `XMLScanner`
/// (docs/formats/xml-stores.md 2).
struct XMLMetadataReader {
  private static let maximumDepth = 32
  private static let maximumValues = 100_000
  private static let maximumBytes = 16 << 20

  private let scanner: XMLScanner
  private var values = 0
  private var bytes = 0

  init(_ scanner: XMLScanner) {
    self.scanner = scanner
  }

  /// Reads to the end tag of `metadata`.
  ///
  /// An empty element gives no entries; Mac OS X 10.4 wrote such files.
  mutating func entries() throws(StoreError) -> [String: PropertyList] {
    var entries: [String: PropertyList] = [:]
    var isRead = false
    while true {
      switch try scanner.next() {
      case .end: return entries
      case .start(let tag) where tag.name == "plist" && !isRead:
        isRead = true
        guard case .start(let root) = try scanner.next() else { throw fault("it holds nothing") }
        guard case .dictionary(let found) = try value(root, depth: 0) else {
          throw fault("it isn't a dictionary")
        }
        entries = found
        guard case .end = try scanner.next() else { throw fault("it holds several values") }
      default: throw fault("there is something else beside it")
      }
    }
  }

  private func fault(_ reason: String) -> StoreError {
    scanner.fault("the property list of the metadata can't be read: \(reason)")
  }

  private mutating func value(_ tag: XMLTag, depth: Int) throws(StoreError) -> PropertyList {
    values += 1
    guard depth <= Self.maximumDepth, values <= Self.maximumValues else {
      throw fault("it is nested too deeply or holds too many values")
    }
    switch tag.name {
    case "dict": return .dictionary(try dictionary(depth: depth + 1))
    case "array":
      var elements: [PropertyList] = []
      while case .start(let element) = try scanner.next() {
        elements.append(try value(element, depth: depth + 1))
      }
      return .array(elements)
    default:
      let text = try self.text(of: tag.name)
      guard let value = Self.scalar(tag.name, text) else {
        throw fault("“\(tag.name)” isn't a kind of value, or doesn't hold one")
      }
      return value
    }
  }

  private mutating func dictionary(depth: Int) throws(StoreError) -> [String: PropertyList] {
    var entries: [String: PropertyList] = [:]
    while case .start(let tag) = try scanner.next() {
      guard tag.name == "key" else { throw fault("a key is expected where “\(tag.name)” stands") }
      let key = String(decoding: try text(of: "key"), as: UTF8.self)
      guard case .start(let next) = try scanner.next() else { throw fault("key “\(key)” has no value") }
      guard entries.updateValue(try value(next, depth: depth), forKey: key) == nil else {
        throw fault("key “\(key)” is there twice")
      }
    }
    return entries
  }

  private mutating func text(of name: String) throws(StoreError) -> [UInt8] {
    guard case .end = try scanner.next() else { throw fault("“\(name)” holds other elements") }
    let text = scanner.takeText()
    bytes += text.count
    guard bytes <= Self.maximumBytes else { throw fault("it is larger than \(Self.maximumBytes >> 20) MiB") }
    return text
  }

  private static func scalar(_ name: String, _ bytes: [UInt8]) -> PropertyList? {
    if name == "data" { return Base64Text.bytes(of: bytes).map { .data(Data($0)) } }
    let text = String(decoding: bytes, as: UTF8.self)
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch name {
    case "string": return .string(text)
    case "integer":
      return Int64(trimmed).map(PropertyList.integer) ?? UInt64(trimmed).map(PropertyList.unsigned)
    case "real": return Double(trimmed).map(PropertyList.real)
    case "true": return trimmed.isEmpty ? .boolean(true) : nil
    case "false": return trimmed.isEmpty ? .boolean(false) : nil
    case "date":
      guard let date = try? Date(trimmed, strategy: .iso8601) else { return nil }
      return .date(date.timeIntervalSinceReferenceDate)
    default: return nil
    }
  }
}
