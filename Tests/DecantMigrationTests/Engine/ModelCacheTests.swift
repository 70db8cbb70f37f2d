import CatalogueSupport
import DecantModel
import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("The model cache of a new store") struct ModelCacheTests {
  private static let old = "Note\n a String?"
  private static let new = "Note\n a String?\n b Int16? = 7"
  private static let row = "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x')"

  private func shop(_ texts: String..., framework: Int = 1344) throws -> Workshop {
    let shop = try Workshop(texts)
    try shop.makeStore(framework: framework, Self.row)
    return shop
  }

  /// Puts a compiled model of a version into the family's folder.
  private func compile(_ model: ManagedObjectModel, to path: String, _ shop: Workshop) throws {
    let file = shop.catalogue.appendingPathComponent("Notes/\(path)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try CompiledModelWriter.data(model).write(to: file)
  }

  private func keep(_ content: Data, in store: URL) throws {
    let database = try SQLiteDatabase(store.path, mode: .readWrite)
    try database.execute("INSERT INTO Z_MODELCACHE VALUES (\(CachingStore.blob(content)))")
    _ = try database.rows("PRAGMA journal_mode=DELETE")
    try database.execute("PRAGMA journal_mode=WAL")
  }

  private func rows(_ result: Migrated) throws -> Int {
    try result.store.store.database.integer("SELECT count(*) FROM Z_MODELCACHE")
  }

  private func sentences(_ result: Migrated) -> [String] {
    result.report.warnings.filter {
      $0.contains("has no copy of its model") || $0.contains("own model is not copied")
    }
  }

  @Test(arguments: ["V2.mom", "Notes.momd/V2.mom", "Notes.momd/Other.mom"])
  func isTheCompiledModelThatLiesBesideTheSources(path: String) throws {
    let shop = try shop(Self.old, Self.new)
    try compile(try shop.model("V1"), to: "Notes.momd/A.mom", shop)
    try compile(try shop.model("V2"), to: path, shop)
    let result = try shop.migrate()
    let cached = try #require(try result.store.store.cachedModel())
    #expect(cached.model.entities == (try shop.model("V2")).entities)
    #expect(sentences(result) == [])
  }

  @Test func isNotThereWhereNothingIsCompiled() throws {
    let result = try shop(Self.old, Self.new).migrate()
    #expect(try rows(result) == 0)
    #expect(sentences(result) == [])
    #expect(!result.report.notes.contains { $0.contains("copy of its model") })
  }

  @Test func isMissedInANoteWhereTheSourceHadOneAndNothingIsCompiled() throws {
    let shop = try shop(Self.old, Self.new)
    try keep(DeflateWriter.stored(CompiledModelWriter.data(try shop.model("V1"))), in: shop.source)
    let result = try shop.migrate()
    #expect(try rows(result) == 0)
    #expect(sentences(result) == [])
    #expect(result.report.notes.filter { $0.contains("no compiled model") && $0.contains("“V2”") }.count == 1)
    #expect(try Migration.plan(shop.job()).notes.contains { $0.contains("no compiled model") })
  }

  @Test func isNotThereWhereTheCompiledModelsAreOfOtherVersions() throws {
    let shop = try shop(Self.old, Self.new)
    try compile(try shop.model("V1"), to: "V2.mom", shop)
    #expect(try rows(try shop.migrate()) == 0)
  }

  @Test func isNotThereWhereTheCompiledModelHasOtherIndexes() throws {
    let shop = try shop(Self.old, Self.new)
    var model = try shop.model("V2")
    var entity = try #require(model.entities.first)
    let place = try #require(entity.attributes.firstIndex { $0.name == "b" })
    entity.attributes[place].isIndexed = true
    model = try ManagedObjectModel(entities: [entity])
    #expect(model.entityVersionHashes == (try shop.model("V2")).entityVersionHashes)
    try compile(model, to: "V2.mom", shop)
    let result = try shop.migrate()
    #expect(try rows(result) == 0)
    let sentence = try #require(sentences(result).first)
    #expect(sentence.contains("V2.mom has the version hashes of “V2”, but its tables or indexes differ"))
  }

  @Test func aCompiledModelThatCantBeReadIsNamed() throws {
    let shop = try shop(Self.old, Self.new)
    try shop.folder.write("no model", to: "models/Notes/V2.mom")
    let result = try shop.migrate()
    #expect(try rows(result) == 0)
    #expect(sentences(result).count == 1 && sentences(result)[0].contains("models/Notes/V2.mom"))
  }

  @Test func aReferenceStoreWhoseModelCantBeReadIsNamed() throws {
    let shop = try shop(Self.old, Self.new)
    let made = try shop.makeStore(of: "V2", "")
    try keep(Data("no model".utf8), in: made)
    let reference = shop.catalogue.appendingPathComponent("Notes/reference")
    try FileManager.default.createDirectory(at: reference, withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: made, to: reference.appendingPathComponent("V2.sqlite"))
    try shop.makeStore(Self.row)
    let result = try shop.migrate()
    #expect(try rows(result) == 0)
    #expect(sentences(result).count == 1 && sentences(result)[0].contains("reference/V2.sqlite"))
    #expect(!result.report.notes.contains { $0.contains("no compiled model") })
  }

  @Test func aVersionInfoThatCantBeReadIsNamed() throws {
    let shop = try shop(Self.old, Self.new)
    try keep(DeflateWriter.stored(CompiledModelWriter.data(try shop.model("V1"))), in: shop.source)
    try shop.folder.write("no property list", to: "models/Notes/Notes.momd/VersionInfo.plist")
    let result = try shop.migrate()
    #expect(try rows(result) == 0)
    #expect(sentences(result).count == 1 && sentences(result)[0].contains("Notes.momd/VersionInfo.plist: "))
    #expect(!result.report.notes.contains { $0.contains("no compiled model") })
  }

  @Test func isTheCompiledModelOfACatalogueWithoutSources() throws {
    let shop = try shop(Self.old, Self.new)
    let (one, two) = (try shop.model("V1"), try shop.model("V2"))
    try FileManager.default.removeItem(at: shop.catalogue.appendingPathComponent("Notes/Notes.xcdatamodeld"))
    try compile(one, to: "Notes.momd/V1.mom", shop)
    try compile(two, to: "Notes.momd/V2.mom", shop)
    let cached = try #require(try shop.migrate(to: "V2").store.store.cachedModel())
    #expect(cached.model == two)
  }

  @Test func isThatOfAReferenceStore() throws {
    let shop = try shop(Self.old, Self.new)
    let model = try shop.model("V2")
    let content = DeflateWriter.stored(CompiledModelWriter.data(model, as: .cacheWithCopies))
    let made = try shop.makeStore(of: "V2", "")
    try keep(content, in: made)
    let reference = shop.catalogue.appendingPathComponent("Notes/reference")
    try FileManager.default.createDirectory(at: reference, withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: made, to: reference.appendingPathComponent("V2.sqlite"))
    try shop.makeStore(Self.row)
    let result = try shop.migrate()
    #expect(try result.store.store.ownModelCache()?.content == content)
  }

  @Test func aStoreWrittenAnewKeepsItsOwnRowByteForByte() throws {
    let shop = try shop(Self.old)
    let content = DeflateWriter.stored(CompiledModelWriter.data(try shop.model("V1"), as: .cacheWithProxies))
    try keep(content, in: shop.source)
    try compile(try shop.model("V1"), to: "V1.mom", shop)
    let result = try shop.migrate(rewrite: true)
    #expect(try result.store.store.ownModelCache()?.content == content)
  }

  @Test func aWrongRowIsNotCarriedOver() throws {
    let shop = try shop(Self.old)
    let other = try ManagedObjectModel(entities: [Entity(name: "Other")])
    try keep(DeflateWriter.stored(CompiledModelWriter.data(other)), in: shop.source)
    let result = try shop.migrate(rewrite: true)
    #expect(try rows(result) == 0)
    let sentence = try #require(sentences(result).first)
    #expect(sentence.contains("is not copied") && sentence.contains("Note, Other"))
    try compile(try shop.model("V1"), to: "V1.mom", shop)
    try FileManager.default.removeItem(at: shop.output)
    #expect(try rows(try shop.migrate(rewrite: true)) == 1)
  }

  @Test func olderFrameworksHaveNoSuchTable() throws {
    let shop = try shop(Self.old, Self.new, framework: 419)
    try compile(try shop.model("V2"), to: "V2.mom", shop)
    let result = try shop.migrate()
    #expect(result.store.store.schema.tables["Z_MODELCACHE"] == nil)
    #expect(sentences(result) == [])
  }

  @Test func aModelThatChangedBetweenTwoRunsBeginsTheStepAnew() throws {
    let shop = try shop(Self.old, Self.new)
    let failure = #expect(throws: MigrationFailure.self) {
      try Migration.run(
        // With a stated chunk size, even a small store has a working file.
        shop.job(chunkSize: 100),
        shouldStop: { FileManager.default.fileExists(atPath: shop.work.path + "/step-1.sqlite.partial") })
    }
    #expect(failure?.disposition == .stopped)
    try compile(try shop.model("V2"), to: "V2.mom", shop)
    let result = try shop.migrate()
    #expect(result.report.steps[0].resumedChunks == 0)
    #expect(try rows(result) == 1)
  }
}

@Suite(
  "The model cache of a migrated genuine store",
  .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct GenuineCarriedModelTests {
  @Test(
    "the model cache has the compiled model that lies beside the sources",
    arguments: [
      ("coredataplus", "SampleModel_V1.sqlite", "SampleModel2"),
      ("xcserver", "XCServerCoreData_1.2.0.sqlite", "XCServerCoreData1.1.0"),
      ("xcserver", "XCServerCoreData_2.0.1.sqlite", "XCServerCoreData2.0.0"),
    ])
  func carried(folder: String, store: String, target: String) throws {
    let genuine = try GenuineStore(folder, store)
    let family = try SharedFixtures.family(folder)
    let (result, _) = try genuine.migrate(to: target, family: family)
    let cached = try #require(try result.store.store.cachedModel(), "\(result.report.warnings)")
    #expect(cached.model.entityVersionHashes == (try #require(family.version(named: target))).hashes)
    #expect(!result.report.warnings.contains { $0.contains("copy of its model") })
  }
}
