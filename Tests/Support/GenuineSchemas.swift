/// The differences of genuine stores' schemas from the schemas of fresh stores, which were never migrated.
public enum GenuineSchemas {
  /// The stores that aren't fresh, or that show an open point of the rules.
  ///
  /// The schema of every other store is equal to that of a fresh store, statement by statement.
  public static let openPoints: [String: SchemaDifference] = [
    // Fresh; the order of the join tables of one entity is not settled (docs/formats/core-data-sqlite.md 4.5).
    "artsy-folio/oss_stubbed_data.sqlite": .joinTableOrder,
    "wire/store1-28.wiredatabase": .joinTableOrder,
    "wire/store2-3.wiredatabase": .joinTableOrder,
    "wire/store2-5.wiredatabase": .joinTableOrder,
    // Written by a migration: first the rows, then the indexes.
    "moody/Moody.moody": .indexesLast,
    "moody/Moody 2.moody": .indexesLast,
    "moody/Moody 4.moody": .indexesLast,
    // Migrated by framework 866 or before: the same text in another order (docs/formats/core-data-sqlite.md 9.3).
    "artsy-folio/ArtsyPartner_1.4.sqlite": .places,
    "wibosco/CoreDataMigration_Example_2.sqlite": .places,
    "wire/store2-8.wiredatabase": .places,
    "wire/store2-21-1.wiredatabase": .places,
    "wire/store2-24-1.wiredatabase": .places,
    "wire/store2-27-0.wiredatabase": .places,
    "wire/store2-30-0.wiredatabase": .places,
    // Migrated like the stores above, with indexes of older versions (docs/formats/core-data-sqlite.md 9.2).
    "wire/store2-39-0.wiredatabase": .staleIndexes(12),
    "wire/store2-42-0.wiredatabase": .staleIndexes(1),
    "wire/store2-45-0.wiredatabase": .staleIndexes(1),
    "wire/store2-48-0.wiredatabase": .staleIndexes(1),
    "wire/store2-51-0.wiredatabase": .staleIndexes(1),
    "wire/store2-59-0.wiredatabase": .staleIndexes(1),
    "wire/store2-63-0.wiredatabase": .staleIndexes(1),
    "wire/store2-67-0.wiredatabase": .staleIndexes(25),
    "wire/store2-71-0.wiredatabase": .staleIndexes(1),
    "wire/store2-75-0.wiredatabase": .staleIndexes(1),
    "wire/store2-79-0.wiredatabase": .staleIndexes(1),
    // Migrated in place by framework 977 or later: tables altered, join tables renamed
    // (docs/formats/core-data-sqlite.md 9.1, 9.2).
    "wire/store2-83-0.wiredatabase": .alteredInPlace(tables: 8, indexes: 0),
    "wire/store2-88-0.wiredatabase": .alteredInPlace(tables: 10, indexes: 0),
    "wire/store2-92-0.wiredatabase": .alteredInPlace(tables: 12, indexes: 0),
    "wire/store2-96-0.wiredatabase": .alteredInPlace(tables: 13, indexes: 0),
    "wire/store2-101-0.wiredatabase": .alteredInPlace(tables: 11, indexes: 6),
  ]
}
