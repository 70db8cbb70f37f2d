import DecantModel
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@Suite("Schema of genuine stores", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct GenuineSchemaTests {
  @Test("every store with a model source has the tables and columns that the layout gives", arguments: genuine)
  func columns(store: SharedFixtures.Store) throws {
    let (source, model) = try open(store)
    #expect(source.metadata.versionHashes == model.entityVersionHashes)
    let layout = try source.layout(for: model, version: "the manifest's")
    for table in layout.tables {
      let columns = try #require(source.schema.tables[table.name])
      #expect(columns.sorted() == table.columns.map(\.name).sorted(), "\(table.name)")
    }
    for join in layout.joinTables {
      let columns = try #require(source.schema.tables[join.name])
      let ends = [join.first, join.second]
      #expect(Set(columns) == Set(ends.map(\.column) + ends.compactMap(\.orderColumn)), "\(join.name)")
    }
  }

  @Test("the statements are those of the store, except for the listed open points", arguments: genuine)
  func statements(store: SharedFixtures.Store) throws {
    let (source, model) = try open(store)
    let layout = try StoreLayout(model, framework: #require(source.metadata.framework), evidence: source.schema)
    let genuine = try source.rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
      .compactMap {
        if case .text(let text) = $0[0] { text } else { nil }
      }
    let difference = SchemaDifference(genuine: genuine, ours: try SchemaStatements(layout).all)
    #expect(difference == GenuineSchemas.openPoints[store.description] ?? .none, "\(store): \(difference)")
  }

  @Test("the rules alone give the same layout as with the store's own tables as evidence", arguments: genuine)
  func rulesAlone(store: SharedFixtures.Store) throws {
    let (source, model) = try open(store)
    let framework = try #require(source.metadata.framework)
    let ruled = try StoreLayout(model, framework: framework)
    let settled = try StoreLayout(model, framework: framework, evidence: source.schema)
    #expect(try SchemaStatements(ruled).all == SchemaStatements(settled).all)
  }

  // docs/formats/core-data-sqlite.md 4.1, 4.3
  @Test("CareKit 2.1, for which there is no store, has the names that the rules give")
  func careKit() throws {
    let folder = SharedFixtures.stores.appendingPathComponent("carekit/CareKitStore.xcdatamodeld")
    let model = try ModelBundle.read(at: folder).version(named: "CareKitStore2.1").model
    let layout = try StoreLayout(model, framework: .current)
    _ = try SchemaStatements(layout)
    #expect(layout.joinTable("tags", of: "OCKCDHealthKitTask")?.table.name == "Z_14TAGS")
    let entities = ["OCKCDCarePlan", "OCKCDContact", "OCKCDHealthKitTask", "OCKCDOutcome", "OCKCDPatient"]
    #expect(
      entities.map { entity -> String? in
        guard let (table, isNaming) = layout.joinTable("tags", of: entity) else { return nil }
        return (isNaming ? table.second : table.first).column
      } == ["Z_13TAGS", "Z_13TAGS1", "Z_13TAGS2", "Z_13TAGS3", "Z_13TAGS4"])
    #expect(layout.joinTables.filter { $0.name.hasSuffix("PREVIOUS") }.count == 5)
  }

  // docs/formats/core-data-sqlite.md 5.3
  @Test("a store's own model gives exactly the store's fetch indexes", arguments: genuine)
  func ownIndexes(store: SharedFixtures.Store) throws {
    let (source, _) = try open(store)
    let framework = try #require(source.metadata.framework)
    guard framework >= FrameworkVersion(836), let own = try source.cachedModel()?.model else { return }
    let layout = try StoreLayout(own, framework: framework, evidence: source.schema)
    // Indexes of older frameworks may remain, and indexes of join tables have old names
    // (docs/formats/core-data-sqlite.md 9.2). So only indexes with COLLATE BINARY are compared.
    func named(_ statements: some Sequence<String>) -> [String] {
      statements.filter { $0.contains("COLLATE BINARY") }.sorted()
    }
    #expect(named(try SchemaStatements(layout).indexes) == named(source.schema.indexes.values))
  }

  @Test("numbers, names and parents in Z_PRIMARYKEY are those of the layout", arguments: genuine)
  func primaryKeys(store: SharedFixtures.Store) throws {
    let (source, model) = try open(store)
    let layout = try StoreLayout(model, framework: .current, evidence: source.schema)
    let rows = try source.rows(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16001 ORDER BY Z_ENT")
    #expect(
      rows
        == PrimaryKeyRow.rows(of: layout).map {
          [.integer(Int64($0.number)), .text($0.name), .integer(Int64($0.superNumber))]
        })
  }

  @Test("each listed open point belongs to an existing store")
  func openPointsAreUsed() {
    let names = Set(Self.genuine.map(\.description))
    #expect(GenuineSchemas.openPoints.keys.filter { !names.contains($0) }.isEmpty)
    #expect(Self.genuine.count == 56)
  }

  private func open(_ store: SharedFixtures.Store) throws -> (SourceStore, ManagedObjectModel) {
    let folder = try TemporaryFolder()
    let source = try SourceStore(SharedFixtures.copy(store, into: folder).path, scratch: folder.path("scratch"))
    return (source, try store.readModel())
  }

  static let genuine = SharedFixtures.manifest.filter { $0.kind == "SQLite" && $0.modelFolder != nil }
}

extension SharedFixtures.Store {
  func readModel() throws -> ManagedObjectModel {
    let folder = try #require(modelFolder)
    return try #require(try ModelBundle.read(at: folder).versions.first).model
  }
}
