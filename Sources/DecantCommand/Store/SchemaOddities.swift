internal import DecantConsole
internal import DecantModel
internal import DecantStore

/// Compares a store's tables with those of its model (docs/formats/core-data-sqlite.md 9).
struct SchemaOddities {
  private let store: SourceStore
  private let layout: StoreLayout?
  private(set) var all: [Oddity] = []

  init(_ store: SourceStore, layout: StoreLayout?) {
    self.store = store
    self.layout = layout
    noteAlteredTables()
    noteViewsAndTriggers()
    guard let layout else { return }
    noteColumns(layout)
    all += IndexOddities(store, layout: layout).all
  }

  /// Finds tables that were renamed or got columns (docs/formats/core-data-sqlite.md 9.1).
  ///
  /// Renaming puts the name in double quotes. After an added column, no space stands before the last parenthesis.
  private mutating func noteAlteredTables() {
    let tables = store.schema.tables.keys.filter { table in
      guard table.hasPrefix("Z"), let text = store.statements[table],
        !SystemTable.names.contains(table)
      else { return false }
      return text.hasPrefix("CREATE TABLE \"")
        || (text.hasSuffix(")") && !text.hasSuffix(" )") && !text.contains("CONSTRAINT "))
    }.sorted(by: Quantity.inNumericOrder)
    guard !tables.isEmpty else { return }
    all.append(
      Oddity(
        .note, .alteredTables,
        "\(counted(tables.count, "table was", "tables were")) altered in place by an earlier migration: "
          + "\(Quantity.list(tables))."))
  }

  private mutating func noteViewsAndTriggers() {
    let foreign = store.viewsAndTriggers
    guard !foreign.isEmpty else { return }
    all.append(
      Oddity(
        .refusal, .viewsAndTriggers,
        "Core Data doesn't make these views and triggers: \(Quantity.list(foreign))."))
  }

  private mutating func noteColumns(_ layout: StoreLayout) {
    let missing = store.missingNames(layout)
    var surplus: [String] = []
    for (table, columns) in layout.names {
      let wanted = Set(columns.map { $0.uppercased() })
      surplus += (store.schema.tables[table] ?? []).filter { !wanted.contains($0.uppercased()) }
        .map { "\(table).\($0)" }
    }
    if let open = layout.openPoints(explaining: missing) {
      all.append(
        Oddity(
          .refusal, .unsettledLayout,
          "It isn't known for certain how Core Data stores this: "
            + "\(open.map(\.description).joined(separator: "; "))."))
    } else if !missing.isEmpty {
      all.append(
        Oddity(
          .refusal, .tablesOfAnotherVersion,
          "The metadata are of one version, but the tables are of another: \(Quantity.list(missing)) "
            + "\(missing.count == 1 ? "is" : "are") missing."))
    }
    if !surplus.isEmpty {
      all.append(
        Oddity(
          .note, .surplusColumns,
          "\(counted(surplus.count, "column belongs", "columns belong")) to no property of the model and "
            + "\(surplus.count == 1 ? "is" : "are") not migrated: \(Quantity.list(surplus))."))
    }
  }
}
