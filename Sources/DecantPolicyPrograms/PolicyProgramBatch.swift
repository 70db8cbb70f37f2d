internal import DecantModel
package import PredicateFormat

/// Source objects that a policy program gets together.
package struct PolicyProgramBatch: Sendable {
  package struct SourceObject: Sendable {
    package var key: Int64
    /// The object's own entity, not an ancestor.
    package var entity: String
    /// The values of the stored attributes; a transformable attribute gives its bytes.
    var values: [String: Value]
    /// The primary keys of each relationship's targets; those of an ordered relationship are in order.
    var relationships: [String: [Int64]]

    package init(
      key: Int64, entity: String, values: [String: Value], relationships: [String: [Int64]]
    ) {
      self.key = key
      self.entity = entity
      self.values = values
      self.relationships = relationships
    }

    /// The approximate size of the object in the batch's line, in bytes.
    package var bytes: Int {
      let large = values.values.reduce(0) { sum, value in
        switch value {
        case .string(let text), .url(let text): sum + text.utf8.count
        case .data(let data): sum + data.count / 3 * 4
        default: sum + 16
        }
      }
      return large + relationships.values.reduce(0) { $0 + $1.count * 8 }
    }
  }

  package var source: [SourceObject]

  package init(source: [SourceObject]) { self.source = source }

  /// The batch's name in reports: its first and last object.
  package var label: String {
    guard let first = source.first, let last = source.last else { return "no objects" }
    let name = "\(first.entity)/p\(first.key)"
    return source.count == 1 ? name : "\(name) to \(last.entity)/p\(last.key)"
  }

  /// An object's name in reports; `nil` if it isn't in the batch.
  package func label(_ key: Int64) -> String? {
    source.first { $0.key == key }.map { "\($0.entity)/p\(key)" }
  }

  func line(number: Int) -> [UInt8] {
    let line = ProgramLine()
    line.object { line in
      line.key("batch").integer(Int64(number))
      line.key("source").array(source) { line, object in
        line.object { line in
          line.key("key").integer(object.key)
          line.key("entity").string(object.entity)
          line.key("values").object { line in
            for name in object.values.keys.sorted(by: NameOrder.codePoints) {
              line.key(name).value(object.values[name] ?? .null)
            }
          }
          line.key("relationships").object { line in
            for name in object.relationships.keys.sorted(by: NameOrder.codePoints) {
              line.key(name).array(object.relationships[name] ?? []) { $0.integer($1) }
            }
          }
        }
      }
    }
    return line.finished
  }
}
