internal import DecantEngine
internal import DecantExpressions
internal import DecantMigration
internal import DecantModel
internal import DecantPasses
internal import DecantSQLite
internal import DecantStore
internal import DecantXMLStore
internal import Foundation

/// Two stores open for comparison: the destination as `main`, and the source or an expected store attached as `source`.
struct StorePair {
  let lineage: Lineage
  let source: SourceStore
  let destination: SourceStore
  let sourceLayout: StoreLayout
  let destinationLayout: StoreLayout
  /// The expected tables and indexes of the destination.
  let statements: SchemaStatements
  /// The stores' folders of external files.
  let sourceFiles: String
  let destinationFiles: String
  /// What can be judged if the attached database `source` is the expected store of a step.
  ///
  /// `nil` for two ordinary stores: everything can be judged.
  private(set) var judgement: Judgement?

  /// The external files of two stores, which may be in other folders than the compared files.
  package struct Files {
    let source: ExternalData
    let destination: ExternalData
  }

  /// Whether the quarantine's store is attached as `aside`.
  var hasAside: Bool { aside != nil }
  private var aside: SourceStore?

  var database: SQLiteDatabase { destination.database }

  /// - Parameter files: The external files; `nil` if they are beside the two stores.
  init(
    source: URL, destination: URL, files: Files? = nil, lineage: Lineage, evidence: SchemaEvidence?,
    scratch: URL
  ) throws {
    self.lineage = lineage
    let place = scratch.appendingPathComponent("source").path
    self.source = try SourceStore.open(source.path, scratch: place)
      .filled(as: lineage.source, version: "the source model", scratch: place)
    self.destination = try SourceStore(
      destination.path, scratch: scratch.appendingPathComponent("destination").path)
    sourceLayout = try self.source.layout(
      for: lineage.source, version: "the source model", acceptsCloudKit: true)
    let framework = self.destination.metadata.framework ?? .current
    destinationLayout = try Self.layout(
      of: lineage.destination, framework: framework, evidence: evidence, own: self.destination.schema,
      precedent: JoinPrecedent(source: sourceLayout))
    statements = try SchemaStatements(destinationLayout)
    sourceFiles = (files?.source ?? ExternalData(store: source)).readableFiles
    destinationFiles = (files?.destination ?? ExternalData(store: destination)).readableFiles
    do {
      try database.attachImmutable(self.source.readPath, as: "source")
      try ExternalDataFunction.register(in: database, folder: sourceFiles)
    } catch {
      throw StoreError.sqlite(error)
    }
  }

  /// A store and the expected store of a step.
  ///
  /// The expected store is attached as `source`.
  ///
  /// - Parameters:
  ///   - source: The source of the step, or of the whole path.
  ///   - expected: The path of the expected store.
  init(
    _ store: SourceStore, of source: SourceStore, expected: String, _ judgement: Judgement,
    sourceFiles: String = "", destinationFiles: String = ""
  ) throws {
    (self.source, destination) = (source, store)
    self.judgement = judgement
    destinationLayout = judgement.layout
    sourceLayout = destinationLayout
    lineage = Lineage(of: destinationLayout.model)
    statements = try SchemaStatements(destinationLayout)
    (self.sourceFiles, self.destinationFiles) = (sourceFiles, destinationFiles)
    do {
      try database.attachImmutable(expected, as: "source")
      try ExternalDataFunction.register(in: database, folder: sourceFiles)
    } catch {
      throw StoreError.sqlite(error)
    }
  }

  /// The same destination, with its expected store in the place of the source.
  func beside(expected: String, _ judgement: Judgement) throws -> StorePair {
    try database.detach("source")
    return try StorePair(
      destination, of: source, expected: expected, judgement, sourceFiles: sourceFiles,
      destinationFiles: destinationFiles)
  }

  func isJudged(_ key: String, of entity: String) -> String {
    judgement?.isJudged(key, of: entity) ?? "1"
  }

  /// Attaches the quarantine's store, and reads the links of its list.
  mutating func attach(_ quarantine: QuarantineFiles, scratch: URL) throws {
    let store = try AsideObjects.open(
      quarantine.store, of: destinationLayout, scratch: scratch.appendingPathComponent("aside").path)
    aside = store
    do {
      try database.attachImmutable(store.readPath, as: "aside")
      // The conditions of validation rules call these functions.
      try ExpressionFunctions.register(in: database, now: 0, job: "")
    } catch {
      throw StoreError.sqlite(error)
    }
    try AsideReasons(layout: destinationLayout, database: database).readLinks(quarantine.list)
  }

  /// The condition that an object of a destination table is in quarantine.
  func isAside(_ key: String, in table: String) -> String {
    hasAside ? "EXISTS (SELECT 1 FROM aside.\(quoted(table)) AS z WHERE z.Z_PK = \(key))" : "0"
  }

  /// The destination's layout by the rules; open points come from the evidence, or else from the destination.
  ///
  /// If the source contradicts the rule for the names of join tables, and nothing that determines these names has
  /// changed, the source's names are right.
  private static func layout(
    of model: ManagedObjectModel, framework: FrameworkVersion, evidence: SchemaEvidence?, own: SchemaEvidence,
    precedent: JoinPrecedent
  ) throws(LayoutError) -> StoreLayout {
    do {
      // An index that isn't in the rules is allowed if it can be recognised as the model's.
      let layout = try StoreLayout(
        model, framework: framework,
        evidence: evidence ?? SchemaEvidence(tables: [:], indexes: own.indexes))
      _ = try SchemaStatements(layout)
      if evidence == nil, case .kept(let kept) = try precedent.judgement(of: layout) { return kept }
      return layout
    } catch {
      guard evidence == nil, case .unsettled = error else { throw error }
      return try StoreLayout(model, framework: framework, evidence: own)
    }
  }

  /// Whether the destination has a table with these columns; `SchemaCheck` reports missing tables and columns.
  func has(_ columns: String?..., in table: String) -> Bool {
    guard let present = destination.schema.tables[table] else { return false }
    return columns.allSatisfy { column in column.map(present.contains) ?? true }
  }

  /// Whether the destination has the table of a storage, with its columns for keys and ordering keys.
  func has(_ storage: RelationshipStorage) -> Bool {
    has(storage.owner, storage.target, storage.order, storage.inverseOrder, in: storage.table)
  }

  func count(_ query: String) throws(SQLiteError) -> Int {
    try database.integer("SELECT count(*) \(query)")
  }

  /// Up to five rows of a query, each as one text.
  func examples(_ columns: String..., from query: String) throws(SQLiteError) -> [String] {
    let list = columns.joined(separator: ", ")
    return try database.rows("SELECT \(list) \(query) ORDER BY \(list) LIMIT 5").map { row in
      row.map { value in
        switch value {
        case .integer(let number): String(number)
        case .text(let text): text
        case .real(let number): String(number)
        case .null: "nil"
        case .blob(let data): counted(data.count, "byte")
        }
      }.joined(separator: " → ")
    }
  }

  /// Pairs of entities whose objects go into a destination entity or one of its subentities.
  func pairs(into entity: String) -> [Lineage.Pair] {
    lineage.pairs.filter { lineage.destination.isKind($0.destination, of: entity) }
  }

  /// `Z_ENT` of a source entity.
  func sourceNumber(_ entity: String) -> Int { sourceLayout.entityNumbers[entity] ?? 0 }

  /// `Z_ENT` of a destination entity.
  func destinationNumber(_ entity: String) -> Int { destinationLayout.entityNumbers[entity] ?? 0 }
}
