internal import DecantModel
internal import Foundation

/// An object `{ … }` in the text of a mapping model, with its place.
struct TextObject {
  let entries: [String: JSON5Value]
  let place: [JSON5Step]
  private let document: Document

  private struct Document {
    let path: String
    let data: Data
    let faults = FaultList()
  }

  private final class FaultList {
    /// The largest number of faults.
    ///
    /// The number is limited because the text is read again to find the line of each fault.
    static let limit = 50
    var faults: [MappingModelError] = []
    var isFull: Bool { faults.count >= Self.limit }
  }

  private init(_ entries: [String: JSON5Value], _ place: [JSON5Step], _ document: Document) {
    self.entries = entries
    self.place = place
    self.document = document
  }

  static func document(_ data: Data, path: String) throws(MappingModelError) -> TextObject {
    // If a command fails whose output a shell writes to the file, the file may be empty.
    guard !data.isEmpty else {
      throw .malformed(path: path, reason: "it is empty; write a mapping model into it, or remove it")
    }
    let entries: [String: JSON5Value]?
    do throws(JSON5Problem) {
      entries = try JSON5Value.parse(data).object
    } catch {
      throw .malformed(path: path, reason: "it is not JSON5: \(error)", line: error.line)
    }
    guard let entries else { throw .malformed(path: path, reason: "it is not an object { … }") }
    return TextObject(entries, [], Document(path: path, data: data))
  }

  /// An error at the value of a key, or at the object itself.
  func fault(_ reason: String, at step: JSON5Step? = nil) -> MappingModelError {
    let steps = place + (step.map { [$0] } ?? [])
    let place = steps.isEmpty ? nil : JSON5Value.place(of: steps, in: document.data)
    let prefix = place.map { "line \($0.line), column \($0.column): " } ?? ""
    return .malformed(path: document.path, reason: prefix + reason, line: place?.line)
  }

  /// Calls `read`, and notes its error as a fault; does nothing if the list of faults is full.
  ///
  /// - Returns: Whether `read` ran without an error.
  @discardableResult
  func attempt(_ read: () throws(MappingModelError) -> Void) -> Bool {
    guard !document.faults.isFull else { return false }
    do throws(MappingModelError) {
      try read()
      return true
    } catch {
      document.faults.faults.append(error)
      return false
    }
  }

  /// All noted faults of the file, in line order; `nil` without faults.
  var fault: MappingModelError? {
    let faults = document.faults.faults
    guard faults.count > 1 else { return faults.first }
    let sorted = faults.enumerated().sorted {
      ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
    }
    return .several(path: document.path, sorted.map(\.element))
  }

  func allow(_ keys: [String], of what: String) throws(MappingModelError) {
    if let first = unknownKeys(keys, of: what).first { throw first }
  }

  func attemptKeys(_ keys: [String], of what: String) -> Bool {
    guard !document.faults.isFull else { return false }
    var areKnown = true
    for error in unknownKeys(keys, of: what) {
      areKnown = attempt { () throws(MappingModelError) in throw error }
    }
    return areKnown
  }

  private func unknownKeys(_ keys: [String], of what: String) -> [MappingModelError] {
    entries.keys.sorted(by: NameOrder.codePoints).filter { !keys.contains($0) }.prefix(FaultList.limit).map {
      key in
      let hint =
        NearName.of(key, among: keys).map { "perhaps “\($0)” is meant" }
        ?? "the keys are: \(keys.joined(separator: ", "))"
      return fault("\(what) has no key “\(key)”; \(hint)", at: .key(key))
    }
  }

  // MARK: Values

  func text(
    _ key: String, _ what: String = "a text in quotes that isn't empty"
  ) throws(MappingModelError) -> String? {
    switch entries[key] {
    case nil, .null: return nil
    case .string(let text) where !text.isEmpty: return text
    default: throw fault("“\(key)” must be \(what)", at: .key(key))
    }
  }

  func integer(_ key: String) throws(MappingModelError) -> Int? {
    switch entries[key] {
    case nil, .null: return nil
    case .integer(let number): return number
    default: throw fault("“\(key)” must be a whole number", at: .key(key))
    }
  }

  func flag(_ key: String) throws(MappingModelError) -> Bool {
    switch entries[key] {
    case nil, .null: return false
    case .boolean(let flag): return flag
    default: throw fault("“\(key)” must be true or false", at: .key(key))
    }
  }

  func versionName(_ key: String) throws(MappingModelError) -> String {
    switch entries[key] {
    case .string(let name) where !name.isEmpty: return name
    case nil: throw fault("“\(key)” is missing")
    default: throw fault("“\(key)” must be a version's name in quotes", at: .key(key))
    }
  }

  func object(_ key: String) throws(MappingModelError) -> TextObject? {
    switch entries[key] {
    case nil, .null: return nil
    case .object(let entries): return TextObject(entries, place + [.key(key)], document)
    default: throw fault("“\(key)” must be an object { … }", at: .key(key))
    }
  }

  func objects(_ key: String, limit: Int) throws(MappingModelError) -> [TextObject] {
    guard let value = entries[key] else { return [] }
    guard let elements = value.array else { throw fault("“\(key)” must be a list [ … ]", at: .key(key)) }
    guard elements.count <= limit else { throw fault("“\(key)” has more than \(limit) members", at: .key(key)) }
    var objects: [TextObject] = []
    for (index, element) in elements.enumerated() {
      let place = place + [.key(key), .index(index)]
      guard let entries = element.object else {
        throw TextObject([:], place, document).fault("member \(index + 1) of “\(key)” must be an object { … }")
      }
      objects.append(TextObject(entries, place, document))
    }
    return objects
  }

  /// The entries in name order, so that the first error is always the same.
  var inOrder: [(key: String, value: JSON5Value)] {
    entries.sorted { NameOrder.codePoints($0.key, $1.key) }
  }

  var path: String { document.path }
  var data: Data { document.data }
}
