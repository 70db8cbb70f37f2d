internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// Writes the references of an XML store into the columns and join tables of an SQLite store.
///
/// An XML store has references at both ends of a relationship (docs/formats/xml-stores.md 3.4). References that only
/// one end has are used, too. If the ends of a one-to-many relationship contradict each other, the to-one end decides,
/// with a warning. If the ends of a one-to-one relationship contradict each other, both stay as in the file, with a
/// warning.
struct XMLReferences {
  /// The statements of two tables: objects with their entity's number, and references in the order of the file.
  static let tables = [
    "CREATE TABLE Z_DECANT_OBJECT (key INTEGER PRIMARY KEY, number INTEGER)",
    "CREATE TABLE Z_DECANT_REFERENCE (relation INTEGER, owner INTEGER, place INTEGER, target INTEGER, "
      + "PRIMARY KEY (relation, owner, place)) WITHOUT ROWID",
  ]
  static let insertObject = "INSERT OR FAIL INTO Z_DECANT_OBJECT (key, number) VALUES (?, ?)"
  static let insertReference =
    "INSERT OR FAIL INTO Z_DECANT_REFERENCE (relation, owner, place, target) VALUES (?, ?, ?, ?)"
  static let removal = ["DROP TABLE Z_DECANT_REFERENCE", "DROP TABLE Z_DECANT_OBJECT"]

  typealias Relation = XMLImportPlan.Relation

  let plan: XMLImportPlan
  let database: SQLiteDatabase
  let path: String
  var warnings: [String] = []
  var layout: StoreLayout { plan.layout }
  var model: ManagedObjectModel { plan.layout.model }

  init(_ plan: XMLImportPlan, database: SQLiteDatabase, path: String) {
    self.plan = plan
    self.database = database
    self.path = path
  }

  /// - Returns: The warnings, one sentence each.
  /// - Throws: `StoreError.xmlContent` if a target would have two owners and no rule decides, or if an SQLite store has
  ///   no place for a reference.
  func resolve() throws(StoreError) -> [String] {
    var work = self
    do {
      try database.execute(
        "CREATE INDEX Z_DECANT_TARGET ON Z_DECANT_REFERENCE (relation, target, owner)")
      for relation in plan.relations { try work.clean(relation) }
    } catch {
      throw .sqlite(error)
    }
    for relation in plan.relations where !relation.relationship.isToMany { try work.fillToOne(relation) }
    for relation in plan.relations { try work.join(relation) }
    for relation in plan.relations where !relation.relationship.isToMany {
      try work.finishToOne(relation)
      try work.reportOneToOne(relation)
    }
    return work.warnings
  }

  /// Removes references to missing objects, references to objects of another entity, and duplicates.
  private mutating func clean(_ relation: Relation) throws(SQLiteError) {
    let targets = numbers(of: relation.relationship.destinationEntityName)
    try drop(
      "r.relation = \(relation.number) AND NOT EXISTS (SELECT 1 FROM Z_DECANT_OBJECT AS o WHERE o.key = r.target)"
    ) { count, example in
      "“\(relation.name)”: \(Self.references(count)) to objects that are not in the file \(Self.are(count)) left out (\(example))."
    }
    try drop(
      "r.relation = \(relation.number) AND NOT EXISTS (SELECT 1 FROM Z_DECANT_OBJECT AS o WHERE o.key = r.target "
        + "AND o.number IN (\(targets)))"
    ) { count, example in
      "“\(relation.name)”: \(Self.references(count)) to objects of another entity \(Self.are(count)) left out (\(example))."
    }
    try drop(
      "r.relation = \(relation.number) AND EXISTS (SELECT 1 FROM Z_DECANT_REFERENCE AS e WHERE "
        + "e.relation = r.relation AND e.target = r.target AND e.owner = r.owner AND e.place < r.place)"
    ) { count, example in
      "“\(relation.name)”: \(Self.references(count)) \(Self.are(count)) left out, because the same reference is there before (\(example))."
    }
  }

  private mutating func drop(
    _ condition: String, _ warning: (Int, String) -> String
  ) throws(SQLiteError) {
    let count = try database.integer("SELECT count(*) FROM Z_DECANT_REFERENCE AS r WHERE \(condition)")
    guard count > 0 else { return }
    let first = try example(
      "SELECT r.owner, r.target FROM Z_DECANT_REFERENCE AS r WHERE \(condition) LIMIT 1")
    warnings.append(warning(count, "the first from z\(first.owner) to z\(first.target)"))
    try database.execute(
      "DELETE FROM Z_DECANT_REFERENCE WHERE (relation, owner, place) IN "
        + "(SELECT r.relation, r.owner, r.place FROM Z_DECANT_REFERENCE AS r WHERE \(condition))")
  }

  func example(_ query: String) throws(SQLiteError) -> (owner: Int64, target: Int64) {
    guard let row = try database.rows(query).first, row.count >= 2 else { return (0, 0) }
    return (row[0].integer ?? 0, row[1].integer ?? 0)
  }

  func count(_ query: String) throws(SQLiteError) -> Int {
    try database.integer("SELECT count(*) \(query)")
  }

  func numbers(of entity: String) -> String {
    model.family(of: entity).compactMap { layout.entityNumbers[$0.name].map(String.init) }
      .joined(separator: ", ")
  }

  func inverse(of relation: Relation) -> Relation? {
    guard let inverse = model.inverse(of: relation.relationship) else { return nil }
    return plan.relations.first {
      $0.entity == inverse.entity.name && $0.relationship.name == inverse.relationship.name
    }
  }

  /// Refuses the store if it has references of a relationship for which an SQLite store has no place.
  func refuseAny(of relation: Relation, _ reason: String) throws(StoreError) {
    let owner: Int64
    do {
      guard try count("FROM Z_DECANT_REFERENCE WHERE relation = \(relation.number)") > 0 else { return }
      owner = try example(
        "SELECT owner, target FROM Z_DECANT_REFERENCE WHERE relation = \(relation.number) LIMIT 1"
      ).owner
    } catch {
      throw .sqlite(error)
    }
    throw .xmlContent(
      path: path, object: "z\(owner)", entity: relation.entity, property: relation.relationship.name,
      reason: reason)
  }

  static func references(_ count: Int) -> String { counted(count, "reference") }
  static func objects(_ count: Int) -> String { counted(count, "object") }
  static func are(_ count: Int) -> String { count == 1 ? "is" : "are" }

  func refusal(_ relation: Relation, object: Int64, _ reason: String) -> StoreError {
    .xmlContent(
      path: path, object: "z\(object)", entity: relation.relationship.destinationEntityName, property: nil,
      reason: reason)
  }
}
