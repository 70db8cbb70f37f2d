internal import DecantModel

/// Uniqueness in frameworks before 847: a clause of the table's statement (docs/formats/core-data-sqlite.md 5.4).
enum UniquenessConstraints {
  static func clauses(for table: StoreLayout.Table, layout: StoreLayout) -> [String] {
    columns(for: table, layout: layout).map { columns in
      "CONSTRAINT \(columns.joined(separator: "_")) UNIQUE (\(columns.joined(separator: ", ")))"
    }
  }

  static func columns(for table: StoreLayout.Table, layout: StoreLayout) -> [[String]] {
    guard !layout.framework.writesUniquenessAsIndex else { return [] }
    return layout.model.family(of: table.rootEntity).flatMap { entity in
      entity.uniquenessConstraints.compactMap { layout.columns($0, of: entity.name) }
    }
  }
}

extension StoreLayout {
  /// The columns of a uniqueness constraint's properties; `nil` if a property has no column of its own or is an element
  /// of a composite attribute.
  package func columns(of constraint: [String], in entity: String) -> [String]? {
    columns(constraint, of: entity)
  }

  func columns(_ names: [String], of entity: String) -> [String]? {
    var columns: [String] = []
    for name in names {
      // The name of an index on an element of a composite attribute isn't known (docs/formats/core-data-sqlite.md 13).
      guard model.attribute(name, of: entity)?.element == nil else { return nil }
      guard let column = attributeColumn(name, of: entity) ?? toOneColumn(name, of: entity) else { return nil }
      columns.append(column)
    }
    return columns
  }
}
