internal import DecantModel

/// Why a model can't be laid out as a store (docs/formats/core-data-sqlite.md 13).
package enum LayoutError: Error, Hashable, CustomStringConvertible {
  case unusableName(entity: String, property: String?)
  case unusableIndexName(entity: String, index: String)
  /// Two tables, or two columns of one table, would have the same name; one of the tables may be the framework's.
  case clash(name: String, inTable: String?)
  case unsettled([StoreLayout.Unsettled])

  package var description: String {
    switch self {
    case .unusableName(let entity, nil):
      "the name of entity “\(entity)” can't be the name of a table; use at most 255 bytes of letters, digits and "
        + "underscores, and no digit at the start"
    case .unusableName(let entity, let property?):
      "entity “\(entity)”: the name of property “\(property)” can't be the name of a column; use at most 255 "
        + "bytes of letters, digits and underscores, and no digit at the start"
    case .unusableIndexName(let entity, let index):
      "entity “\(entity)”: the name of fetch index “\(index)” can't be the name of an index; use at most 254 "
        + "bytes of letters, digits and underscores"
    case .clash(let name, nil):
      "two tables of a store would be called \(name), and how Core Data keeps them apart isn't known; rename one of "
        + "the entities or relationships"
    case .clash(let name, let table?):
      "two columns of table \(table) would be called \(name), and how Core Data keeps them apart isn't known; rename "
        + "one of the properties"
    case .unsettled(let names):
      "how Core Data stores this is not known for certain: "
        + names.map(\.description).joined(separator: "; ")
        + (names.allSatisfy(\.canBeSettled)
          ? ". Put a genuine store of this model version into the family's folder “reference”: it settles the names"
          : ". Not even a genuine store settles that, so a store of such a version can't be read or written")
    }
  }

  static func checkNames(of model: ManagedObjectModel) throws(LayoutError) {
    for entity in model.entities {
      guard isUsable(entity.name) else { throw .unusableName(entity: entity.name, property: nil) }
      let elements = entity.attributes.compactMap { $0.element?.name }
      let names = entity.attributes.declared.map(\.name) + elements + entity.relationships.map(\.name)
      for name in names where !isUsable(name) {
        throw .unusableName(entity: entity.name, property: name)
      }
      for index in entity.fetchIndexes where !isUsable("_" + index.name) {
        throw .unusableIndexName(entity: entity.name, index: index.name)
      }
    }
  }

  /// Checks that all tables have different names, and all columns of a table.
  ///
  /// SQLite ignores the case of ASCII letters.
  static func checkClashes(
    tables: [StoreLayout.Table], joinTables: [StoreLayout.JoinTable]
  ) throws(LayoutError) {
    var names = Set(SystemTable.names.map(folded))
    for name in tables.map(\.name) + joinTables.map(\.name) where !names.insert(folded(name)).inserted {
      throw .clash(name: name, inTable: nil)
    }
    for table in tables {
      var columns: Set<[UInt8]> = []
      for column in table.columns where !columns.insert(folded(column.name)).inserted {
        throw .clash(name: column.name, inTable: table.name)
      }
    }
    for join in joinTables where join.first.relationship != join.second.relationship {
      var columns: Set<[UInt8]> = []
      let names = [join.first, join.second].flatMap { [$0.column, $0.orderColumn] }.compactMap { $0 }
      for column in names where !columns.insert(folded(column)).inserted {
        throw .clash(name: column, inTable: join.name)
      }
    }
  }

  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 32 : $0 }
  }

  private static func isUsable(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first == "_" || first.properties.isAlphabetic else {
      return false
    }
    return name.utf8.count <= 255
      && name.unicodeScalars.allSatisfy {
        $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
  }
}
