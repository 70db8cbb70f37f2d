import DecantModel
import DecantStore
import DecantTestSupport
import Foundation
import Testing

/// Schemas for every model version of the fixtures, in every form of its model.
@Suite(
  "Schema of every genuine model version", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct FixtureSchemaTests {
  /// The versions without a schema, with the open points of the specification in each.
  private static let refused = [
    // docs/formats/core-data-sqlite.md 4.4: a many-to-many relationship that is its own inverse.
    "stores/artsy-folio/ArtsyPartner.xcdatamodeld#ArtsyFolio v2.1": ["Artwork.locations"],
    // docs/formats/core-data-sqlite.md 2.4: a composite attribute inside a composite attribute.
    "mapping/composite/Model.xcdatamodeld#Model": ["Produit.attribute1"],
  ]

  /// Versions whose schema lacks an index, because its statement is an open point of the specification.
  private static let withoutIndexes = Dictionary(
    uniqueKeysWithValues: (4...7).map {
      // docs/formats/core-data-sqlite.md 5.7: an index with a predicate.
      ("mapping/messages/CoreDataTest.xcdatamodeld#CoreDataTest v\($0)", ["Message.byTimestamp"])
    })

  @Test("every version has a schema by the rules alone, except the listed versions with an open point")
  func everyVersion() throws {
    var refused: [String: [String]] = [:]
    var indexes: [String: [String]] = [:]
    var known = 0
    for path in Self.models {
      for version in try ModelBundle.read(at: SharedFixtures.root.appendingPathComponent(path)).versions {
        let name = "\(path)#\(version.name)"
        do throws(LayoutError) {
          let statements = try SchemaStatements(StoreLayout(version.model, framework: .current))
          #expect(statements.tables.count > version.model.rootEntities.count, "\(name)")
          if !statements.leftOut.isEmpty { indexes[name] = statements.leftOut.map { "\($0.property)" } }
          known += 1
        } catch {
          guard case .unsettled(let points) = error else { throw error }
          refused[name] = points.map { "\($0.property)" }
        }
      }
    }
    #expect(refused == Self.refused)
    #expect(indexes == Self.withoutIndexes)
    // With the two versions above there are 272: each version in each of its forms.
    #expect(known == 270)
  }

  @Test("artsy 2.3, Apptentive 1 to 4 and CareKit 2.1 need no reference store")
  func onceRefused() throws {
    for (path, names) in [
      ("artsy-folio/ArtsyPartner", ["ArtsyFolio v2.3"]), ("carekit/CareKitStore", ["CareKitStore2.1"]),
      ("apptentive/ATDataModel", ["ATDataModel", "ATDataModel 2", "ATDataModel 3", "ATDataModel 4"]),
    ] {
      let bundle = try ModelBundle.read(
        at: SharedFixtures.stores.appendingPathComponent(path + ".xcdatamodeld"))
      for name in names {
        let layout = try StoreLayout(bundle.version(named: name).model, framework: .current)
        #expect(try SchemaStatements(layout).leftOut.isEmpty, "\(name)")
      }
    }
  }

  /// `GenuineSchemaTests` leaves these stores out, because their models have other forms.
  @Test("stores of compiled models and of models from before Xcode 4 have the tables that the layout gives")
  func otherForms() throws {
    var found = 0
    for store in SharedFixtures.manifest where store.kind == "SQLite" && store.modelFolder == nil {
      // One store of Mac OS X 10.4 has no version hashes.
      guard let path = store.model else { continue }
      var place = store.folderURL.appendingPathComponent(path)
      if place.lastPathComponent == "elements" { place.deleteLastPathComponent() }
      let model = try #require(ModelBundle.read(at: place).versions.first).model
      let folder = try TemporaryFolder()
      let source = try SourceStore(
        SharedFixtures.copy(store, into: folder).path, scratch: folder.path("scratch"))
      #expect(source.metadata.versionHashes == model.entityVersionHashes)
      let layout = try StoreLayout(model, framework: .current)
      for table in layout.tables {
        #expect(source.schema.tables[table.name]?.sorted() == table.columns.map(\.name).sorted(), "\(store)")
      }
      for join in layout.joinTables {
        #expect(source.schema.tables[join.name] != nil, "\(store): \(join.name)")
      }
      found += 1
    }
    #expect(found == 5)
  }

  /// Bundles, and single models outside of bundles, in path order.
  private static let models: [String] = {
    let found =
      FileManager.default.enumerator(atPath: SharedFixtures.root.path)?.compactMap { $0 as? String } ?? []
    return found.filter { path in
      let parts = path.split(separator: "/").map { $0.split(separator: ".").last ?? "" }
      guard let last = parts.last else { return false }
      return ["xcdatamodeld", "momd"].contains(last)
        || ["xcdatamodel", "mom"].contains(last)
          && !parts.dropLast().contains { ["xcdatamodeld", "momd"].contains($0) }
    }.sorted()
  }()
}
