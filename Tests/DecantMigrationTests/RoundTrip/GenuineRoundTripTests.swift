import DecantCatalogue
import DecantModel
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantVerification

/// Every genuine store is rewritten in its own version, and compared byte by byte.
@Suite("Rewritten genuine stores", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct GenuineRoundTripTests {
  static let stores = SharedFixtures.manifest.filter { $0.kind == "SQLite" && $0.hashes > 0 }

  /// Stores whose model is in no file except the store itself.
  ///
  /// Each is the reference store of its family.
  static let ownModelOnly: Set = [
    "cartkit/CartKitSwiftData_v1.sqlite", "cartkit/CartStorage_v1.sqlite",
    "coredataplus/SampleModel2_V1.sqlite",
  ]

  /// The differences of the rewritten stores, by store.
  static let exceptions: [String: [String]] = [
    // A store of Mac OS X 10.5 or 10.6. The rewritten store has today's page size, schema format and vacuum mode, and
    // its metadata say so (docs/formats/core-data-sqlite.md 10).
    "apple-coredatabooks/CoreDataBooks.CDBStore": [
      "Z_METADATA._NSAutoVacuumLevel", "header: page size", "header: schema format",
      "header: incremental vacuum",
    ],
    // The source has `Z_MAX` -1 for five entities, although keys exist (docs/formats/core-data-sqlite.md 3.2).
    "artsy-folio/ArtsyPartner_1.4.sqlite": ["Z_PRIMARYKEY: Z_MAX 5"],
  ]

  /// The expected difference between the statements of a genuine store and those of its rewritten store.
  static func schemaDifference(of store: SharedFixtures.Store) -> SchemaDifference {
    switch GenuineSchemas.openPoints[store.description] {
    case .staleIndexes(let count): .staleIndexes(count)
    case .alteredInPlace(let tables, let indexes): .alteredInPlace(tables: tables, indexes: indexes)
    default: .none
    }
  }

  @Test("each has equal rows, metadata and header, and the schema of a fresh store", arguments: stores)
  func rewrite(store: SharedFixtures.Store) throws {
    let genuine = try GenuineStore(store)
    let catalogue = try self.catalogue(genuine)
    var job = genuine.job(to: nil)
    job.catalogue = catalogue
    job.rewrite = true
    job.chunkSize = 500
    let source = try SourceStore(genuine.source.path, scratch: genuine.folder.path("one"))
    let families = try Catalogue.read(at: catalogue).families
    try #require(families.count == 1)
    let version = try #require(families[0].version(with: source.metadata.versionHashes ?? [:]), "\(store)")
    job.target = version.name
    let before = try FolderPicture(genuine.folder.url.appendingPathComponent("in"))
    let report = try Migration.run(job)
    #expect(report.result == .migrated)
    #expect(try FolderPicture(genuine.folder.url.appendingPathComponent("in")) == before, "the source changed")
    let result = try SourceStore(genuine.output.path, scratch: genuine.folder.path("two"))
    let comparison = try ExactComparison(source, result)
    #expect(comparison.differences == Self.exceptions[store.description] ?? [], "\(store)")
    #expect(comparison.rows >= store.rows.values.reduce(0, +) && comparison.values > 10)
    try checkSchema(source, result, version.model, store)
    let verification = try Verification.run(
      source: genuine.source, destination: genuine.output, catalogue: catalogue, target: version.name,
      scratch: genuine.folder.url.appendingPathComponent("three"))
    #expect(verification.isEqual, "\(verification)")
  }

  /// Checks that the rewritten store has the statements of a fresh store, and that the genuine store differs from it
  /// only as expected.
  private func checkSchema(
    _ source: SourceStore, _ result: SourceStore, _ model: ManagedObjectModel, _ store: SharedFixtures.Store
  ) throws {
    let (genuine, ours) = (try statements(source), try statements(result))
    let difference =
      Set(genuine) == Set(ours) ? .none : SchemaDifference(genuine: genuine, ours: ours)
    #expect(difference == Self.schemaDifference(of: store), "\(store): \(difference)")
    let layout = try StoreLayout(model, framework: #require(source.metadata.framework), evidence: source.schema)
    let fresh = try SchemaStatements(layout).all
    #expect(Set(ours) == Set(fresh + source.historyStatements))
    // The tables have the order of a fresh store.
    func tables(_ list: [String]) -> [String] { list.filter { $0.hasPrefix("CREATE TABLE ") } }
    #expect(Array(tables(ours).prefix(tables(fresh).count)) == tables(fresh))
  }

  private func statements(_ store: SourceStore) throws -> [String] {
    try store.rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid").compactMap {
      if case .text(let text) = $0[0] { text } else { nil }
    }
  }

  /// The catalogue for a store: its own folder in most cases.
  ///
  /// For Wire it has one of eighty versions, because reading all of them takes long. A store of `ownModelOnly` is put
  /// into the catalogue as the reference store.
  private func catalogue(_ genuine: GenuineStore) throws -> URL {
    let store = genuine.store
    let isWire = store.folder == "wire"
    guard isWire || Self.ownModelOnly.contains(store.description) else { return store.folderURL }
    let catalogue = genuine.folder.url.appendingPathComponent("models")
    let reference = catalogue.appendingPathComponent("\(store.folder)/reference")
    try FileManager.default.createDirectory(at: reference, withIntermediateDirectories: true)
    if isWire {
      let model = try #require(store.modelFolder)
      try FileManager.default.createSymbolicLink(
        at: catalogue.appendingPathComponent("wire/\(model.lastPathComponent)"), withDestinationURL: model)
      return catalogue
    }
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: genuine.source.path + suffix) {
      try FileManager.default.copyItem(
        atPath: genuine.source.path + suffix,
        toPath: reference.appendingPathComponent(store.store + suffix).path)
    }
    return catalogue
  }

  @Test func everyExceptionIsThatOfAStoreThatIsThere() {
    let names = Set(Self.stores.map(\.description))
    #expect(Set(Self.exceptions.keys).union(Self.ownModelOnly).isSubset(of: names))
    #expect(Self.stores.count == 61)
  }
}
