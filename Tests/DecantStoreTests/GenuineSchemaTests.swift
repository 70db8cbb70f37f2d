import DecantModel
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@Suite("Schema of genuine stores", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct GenuineSchemaTests {
  @Test("every store with a model source has the tables and columns that the layout gives", arguments: genuine)
  func layout(store: SharedFixtures.Store) throws {
    let folder = try TemporaryFolder()
    let source = try SourceStore(SharedFixtures.copy(store, into: folder).path, scratch: folder.path("scratch"))
    let model = try store.readModel()
    #expect(source.metadata.versionHashes == model.entityVersionHashes)
    let layout = try source.layout(for: model, version: "the manifest's")
    for table in layout.tables {
      let columns = try #require(source.schema.tables[table.name])
      #expect(Set(columns) == Set(table.columns.map(\.name)), "\(table.name)")
    }
  }

  @Test("the statements equal those of the store", arguments: genuine)
  func statements(store: SharedFixtures.Store) throws {
    let folder = try TemporaryFolder()
    let source = try SourceStore(SharedFixtures.copy(store, into: folder).path, scratch: folder.path("scratch"))
    let model = try store.readModel()
    let layout = try StoreLayout(model, framework: #require(source.metadata.framework), evidence: source.schema)
    let genuine = try source.rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
      .compactMap {
        if case .text(let text) = $0[0] { text } else { nil }
      }
    let ours = try SchemaStatements(layout).all
    if genuine != ours {
      print(
        "DIFF", store,
        Set(genuine) == Set(ours)
          ? "order only"
          : "text: missing \(Set(genuine).subtracting(ours).sorted().prefix(3)) surplus \(Set(ours).subtracting(genuine).sorted().prefix(3))"
      )
    } else {
      print("SAME", store)
    }
  }

  static let genuine = SharedFixtures.manifest.filter { $0.kind == "SQLite" && $0.modelFolder != nil }
}

extension SharedFixtures.Store {
  func readModel() throws -> ManagedObjectModel {
    let folder = try #require(modelFolder)
    return try #require(try ModelBundle.read(at: folder).versions.first).model
  }
}
