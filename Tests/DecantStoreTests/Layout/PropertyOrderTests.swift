import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@testable import DecantModel
@testable import DecantStore

/// The order of `NSProperties` in a store's own model (docs/formats/core-data-sqlite.md 4.5).
@Suite("Order of properties in a store's own model") struct PropertyOrderTests {
  @Test("of names in one bucket, that of a stored attribute comes before that of a transient one")
  func collision() throws {
    var entity = Layouts.entity("E", [("autor", .string), ("color", .string)])
    #expect(try order(entity) == ["autor", "color"])
    entity.attributes[0].isTransient = true
    #expect(try order(entity) == ["color", "autor"])
  }

  private func order(_ entity: Entity) throws -> [String] {
    PropertyHashOrder.properties(of: "E", in: try ManagedObjectModel(entities: [entity]))
  }

  @Test(
    "the models in genuine stores have this order",
    .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
  func genuine() throws {
    var compared = 0
    for store in SharedFixtures.manifest where store.kind == "SQLite" && store.hashes > 0 {
      let folder = try TemporaryFolder()
      let source = try SourceStore(
        SharedFixtures.copy(store, into: folder).path, scratch: folder.path("scratch"), checksPages: false)
      guard let cache = try source.ownModelCache() else { continue }
      let bytes = try RawDeflate.inflate(cache.content, limit: ModelCache.maximumBytes).content
      var allowance = ArchiveAllowance()
      let root = try Archive(parsing: bytes).root()
      for (name, entity) in try #require(try root.entries("NSEntities", &allowance)) {
        let theirs = try entity?.entries("NSProperties", &allowance)?.map(\.key) ?? []
        #expect(
          PropertyHashOrder.properties(of: name, in: cache.reading.model) == theirs, "\(store), \(name)")
        compared += 1
      }
    }
    #expect(compared == 573)
  }
}
