/// A use of each name that the messages about unavailable names propose.
enum AdviceUses {
  static let all: KeyValuePairs<String, String> = [
    "NSPersistentContainer": #"_ = NSPersistentContainer(name: "Notas", managedObjectModel: mo)"#,
    "NSFetchRequest": #"_ = try c.fetch(NSFetchRequest<NSManagedObject>(entityName: "Nota"))"#,
    "NSMigrationManager": "_ = NSMigrationManager(sourceModel: mo, destinationModel: mo)",
    "NSEntityDescription.insertNewObject(forEntityName:into:)":
      #"_ = NSEntityDescription.insertNewObject(forEntityName: "Nota", into: c)"#,
    "NSExpression(format:)": #"_ = NSExpression(format: "a + 1")"#,
    "NSStoreModelVersionHashesKey": "_ = s.metadata[NSStoreModelVersionHashesKey]",
    "setValue(_:forKey:)": #"o.setValue(nil, forKey: "a")"#,
    "fetch(_:)": "_ = try c.fetch(f)",
    "count(for:)": "_ = try c.count(for: f)",
    "performAndWait": "c.performAndWait {}",
    "rollback()": "c.rollback()",
    "changedValues()": "_ = o.changedValues()",
    "mutableOrderedSetValue(forKey:)": #"_ = o.mutableOrderedSetValue(forKey: "a")"#,
    "uriRepresentation()": "_ = i.uriRepresentation().host",
    "observe(_:options:)": #"_ = m.observe(\.migrationProgress, options: [.new]) { _, _ in }"#,
    "invalidate()": #"m.observe(\.migrationProgress, options: [.new]) { _, _ in }.invalidate()"#,
    "metadataForPersistentStore(ofType:at:options:)":
      "_ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: u, options: nil)",
    "isConfiguration(withName:compatibleWithStoreMetadata:)":
      "_ = mo.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:])",
    "versionChecksum": "_ = mo.versionChecksum",
    "replacePersistentStore(at:withPersistentStoreFrom:type:)":
      "try p.replacePersistentStore(at: u, withPersistentStoreFrom: u, type: .sqlite)",
    "destroyPersistentStore(at:type:)": "try p.destroyPersistentStore(at: u, type: .sqlite)",
    "Dictionary(grouping:by:)": "_ = Dictionary(grouping: try c.fetch(f)) { $0.objectID }",
  ]

  /// The words of a message that look like names in code.
  static func names(in message: String) -> Set<String> {
    let others: Set = ["iCloud"]
    return Set(
      message.matches(of: /[\w.]+\([\w:]*\)|\bNS\w+|\b[a-z]+[A-Z]\w*/).map { String($0.0) }
    ).subtracting(others)
  }
}
