internal import DecantModel
internal import Foundation
internal import KeyedArchive

/// Makes keyed archives for a transformable attribute, with objects of the class that the model names.
struct ArchiveSource: Sendable {
  /// The kind of object that an archive holds.
  indirect enum Form: Sendable {
    case text, number, date, url, uuid, data
    case list(Form)
    case set(Form)
    case dictionary(Form)
  }

  let form: Form

  /// If the model names no class, the object is an array of texts, as in most transformable attributes of apps.
  ///
  /// - Returns: `nil` if the model names a class that isn't supported, such as an app's own, or an app's own
  ///   transformer and no class.
  init?(_ attribute: Attribute) {
    let name = attribute.customClassName?.filter { !$0.isWhitespace && $0 != "?" && $0 != "!" } ?? ""
    if name.isEmpty, !Self.isAppleTransformer(attribute.valueTransformerName) { return nil }
    guard let form = name.isEmpty ? .list(.text) : Self.form(name) else { return nil }
    self.form = form
  }

  /// Whether a transformer is Foundation's own for archives (NSValueTransformerName); also true for no transformer.
  private static func isAppleTransformer(_ name: String?) -> Bool {
    ["", "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSKeyedUnarchiveFromData"]
      .contains(name ?? "")
  }

  private static func form(_ name: String) -> Form? {
    switch name {
    case "String", "NSString", "NSMutableString", "Any", "AnyObject", "NSObject": return .text
    case "Int", "Int16", "Int32", "Int64", "Double", "Float", "Bool", "NSNumber": return .number
    case "Date", "NSDate": return .date
    case "URL", "NSURL": return .url
    case "UUID", "NSUUID": return .uuid
    case "Data", "NSData": return .data
    case "NSArray", "NSMutableArray": return .list(.text)
    case "NSSet", "NSMutableSet": return .set(.text)
    case "NSDictionary", "NSMutableDictionary": return .dictionary(.text)
    default: break
    }
    if let inner = inside("Set<", name, ">") { return form(inner).map(Form.set) }
    if let inner = inside("Array<", name, ">") { return form(inner).map(Form.list) }
    guard let inner = inside("[", name, "]") ?? inside("Dictionary<", name, ">") else { return nil }
    guard let sign = inner.firstIndex(where: { $0 == ":" || $0 == "," }) else {
      return form(inner).map(Form.list)
    }
    // Only dictionaries with texts as keys can be made.
    guard ["String", "NSString", "AnyHashable", "NSObject"].contains(inner[..<sign]) else { return nil }
    return form(String(inner[inner.index(after: sign)...])).map(Form.dictionary)
  }

  private static func inside(_ start: String, _ name: String, _ end: String) -> String? {
    guard name.hasPrefix(start), name.hasSuffix(end) else { return nil }
    return String(name.dropFirst(start.count).dropLast(end.count))
  }

  func data(_ random: inout SplitMix64) -> Data {
    var table = ArchiveTable()
    let root = Self.object(form, &table, &random)
    return table.list(root: root).binaryData()
  }

  /// An archive that is unique for each number.
  func unique(_ number: UInt64) -> Data {
    var table = ArchiveTable()
    let root = Self.object(form, of: number, &table)
    return table.list(root: root).binaryData()
  }

  private static func object(
    _ form: Form, of number: UInt64, _ table: inout ArchiveTable
  ) -> PropertyList {
    switch form {
    case .text: return table.place(.string("item \(number)"))
    case .number: return table.place(.integer(Int64(bitPattern: number)))
    case .date: return table.object(["NSDate"], ["NS.time": .real(Double(number))])
    case .url:
      let text = table.place(.string("https://example.org/item/\(number)"))
      return table.object(["NSURL"], ["NS.base": .uid(0), "NS.relative": text])
    case .uuid: return table.object(["NSUUID"], ["NS.uuidbytes": .data(Data(count: 8) + bytes(number))])
    case .data: return table.place(.data(bytes(number)))
    case .list(let inner):
      let member = object(inner, of: number, &table)
      return table.object(["NSArray"], ["NS.objects": .array([member])])
    case .set(let inner):
      let member = object(inner, of: number, &table)
      return table.object(["NSSet"], ["NS.objects": .array([member])])
    case .dictionary(let inner):
      let key = table.place(.string("item"))
      let value = object(inner, of: number, &table)
      return table.object(["NSDictionary"], ["NS.keys": .array([key]), "NS.objects": .array([value])])
    }
  }

  private static func bytes(_ number: UInt64) -> Data {
    withUnsafeBytes(of: number.bigEndian) { Data($0) }
  }

  private static func object(
    _ form: Form, _ table: inout ArchiveTable, _ random: inout SplitMix64
  ) -> PropertyList {
    switch form {
    case .text: return table.place(.string(SampleText.phrases[random.below(SampleText.phrases.count)]))
    case .number: return table.place(.integer(Int64(random.below(1000))))
    case .date:
      return table.object(["NSDate"], ["NS.time": .real(700_000_000 + Double(random.below(50_000_000)))])
    case .url:
      let text = table.place(.string("https://example.org/item/\(random.below(1_000_000))"))
      return table.object(["NSURL"], ["NS.base": .uid(0), "NS.relative": text])
    case .uuid:
      let bytes = withUnsafeBytes(of: ExternalFiles.uuid(&random).uuid) { Data($0) }
      return table.object(["NSUUID"], ["NS.uuidbytes": .data(bytes)])
    case .data: return table.place(.data(ByteSource.noise(1 + random.below(40), &random)))
    case .list(let inner):
      let members = (0..<random.below(5)).map { _ in object(inner, &table, &random) }
      return table.object(["NSArray"], ["NS.objects": .array(members)])
    case .set(let inner):
      // The members of a set must differ, so a set gets at most one.
      let members = random.below(4) == 0 ? [] : [object(inner, &table, &random)]
      return table.object(["NSSet"], ["NS.objects": .array(members)])
    case .dictionary(let inner):
      let words = SampleText.words.prefix(random.below(4))
      let keys = words.map { table.place(.string($0)) }
      let values = words.map { _ in object(inner, &table, &random) }
      return table.object(["NSDictionary"], ["NS.keys": .array(keys), "NS.objects": .array(values)])
    }
  }
}
