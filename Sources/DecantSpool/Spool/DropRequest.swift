internal import DecantMigration
internal import DecantModel
package import DecantReport
package import Foundation

/// A user's request beside a store: `NAME.request.json5`.
package struct DropRequest: Sendable, Hashable {
  /// The largest request in bytes.
  package static let sizeLimit = 65_536

  /// The destination version.
  package var to: String?
  package var family: String?
  /// From −100 to 100; higher comes first.
  package var priority = 0

  package init() {}

  package init(_ data: Data, file: String) throws(MigrationFailure) {
    func failure(_ reason: String) -> MigrationFailure {
      MigrationFailure(
        .badRequest, message: "The request “\(file)” can't be used: \(reason)",
        advice: "It may have “to”, “family” (names in quotes) and “priority” (-100 to 100).")
    }
    let parsed: JSON5Value
    do throws(JSON5Problem) {
      parsed = try JSON5Value.parse(data)
    } catch {
      throw failure("it isn't JSON5: \(error).")
    }
    guard let values = parsed.object else { throw failure("it has to be one object { … }.") }
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      switch (key, value) {
      case ("to", .string(let name)) where !name.isEmpty: to = name
      case ("family", .string(let name)) where !name.isEmpty: family = name
      case ("priority", .integer(let number)) where (-100...100).contains(number): priority = number
      case ("to", _), ("family", _), ("priority", _): throw failure("“\(key)” is \(value.words).")
      default: throw failure("“\(key)” isn't a known key.")
      }
    }
  }
}
