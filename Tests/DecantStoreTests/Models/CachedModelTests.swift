import DecantModel
import DecantSQLite
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@Suite struct CachedModelTests {
  private func model(_ attribute: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      Entity(name: "Note", attributes: [Attribute(name: attribute, type: .string)])
    ])
  }

  /// Makes a store of `model`, executes the statements, and reads the model cache.
  private func cached(
    _ model: ManagedObjectModel, cache: Data? = nil, then statements: [String] = []
  ) throws -> ModelReading? {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    let database = try SQLiteDatabase(path, mode: .create)
    for statement in CachingStore.statements(model, cache: cache) + statements {
      try database.execute(statement)
    }
    return try SourceStore(path, scratch: folder.path("scratch")).cachedModel()
  }

  @Test func aStoreGivesTheModelThatItKeeps() throws {
    #expect(try cached(model("a"))?.model == model("a"))
  }

  @Test(arguments: [
    "DELETE FROM Z_MODELCACHE", "DROP TABLE Z_MODELCACHE", "UPDATE Z_MODELCACHE SET Z_CONTENT = NULL",
  ])
  func aStoreThatKeepsNoneGivesNone(statement: String) throws {
    #expect(try cached(model("a"), then: [statement]) == nil)
  }

  @Test(arguments: [
    ("UPDATE Z_MODELCACHE SET Z_CONTENT = 'text'", "isn't a blob"),
    ("UPDATE Z_MODELCACHE SET Z_CONTENT = x''", "it is empty"),
    ("UPDATE Z_MODELCACHE SET Z_CONTENT = x'ffff'", "isn't a deflate stream"),
    ("UPDATE Z_MODELCACHE SET Z_CONTENT = zeroblob(20000000)", "larger than 16 MB"),
    ("INSERT INTO Z_MODELCACHE VALUES (x'00')", "several rows"),
    (
      "DROP TABLE Z_MODELCACHE; CREATE TABLE Z_MODELCACHE (OTHER); INSERT INTO Z_MODELCACHE VALUES (1)",
      "Z_CONTENT"
    ),
  ])
  func aCacheThatCantBeUsedSaysWhy(statement: String, reason: String) throws {
    do {
      _ = try cached(model("a"), then: [statement])
      Issue.record("it was read")
    } catch {
      #expect("\(error)".contains(reason), "\(error)")
    }
  }

  @Test func aCacheOfAnotherVersionThanTheMetadataStateIsRefused() throws {
    let other = DeflateWriter.stored(CompiledModelWriter.data(try model("b")))
    do {
      _ = try cached(model("a"), cache: other)
      Issue.record("it was read")
    } catch {
      #expect("\(error)".contains("these entities differ: Note"), "\(error)")
    }
  }
}
