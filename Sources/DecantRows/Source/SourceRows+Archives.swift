internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// The bytes in the transformable attributes of a store.
extension SourceRows {
  /// The largest number of values that are read.
  private static let mostArchives = 10_000

  /// Calls the body with stored bytes of transformable attributes until the body returns false.
  func eachArchive(_ body: (Data) -> Bool) {
    var left = Self.mostArchives
    for entity in layout.model.entities.filter({ !$0.isAbstract }).map(\.name).sorted() {
      guard let table = layout.table(of: entity), let number = layout.entityNumbers[entity] else { continue }
      for attribute in layout.model.attributes(of: entity) where attribute.type == .transformable {
        guard let column = layout.attributeColumn(attribute.name, of: entity), left > 0 else { continue }
        let keys = try? statements.rows(
          "SELECT Z_PK FROM source.\(quoted(table.name)) WHERE Z_ENT = ? AND \(quoted(column)) IS NOT NULL "
            + "ORDER BY Z_PK LIMIT ?", [.integer(Int64(number)), .integer(Int64(left))])
        for key in (keys ?? []).compactMap(\.first?.integer) {
          left -= 1
          guard
            case .data(let bytes)? = try? reader.object(entity: entity, key: key).value(forKey: attribute.name)
          else { continue }
          guard body(bytes) else { return }
        }
      }
    }
  }
}
