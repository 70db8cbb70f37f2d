import CatalogueSupport
import DecantCatalogue
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantVerification

/// Every Wire store can be migrated to every later version.
///
/// All ways are planned. A sample that reaches each version is migrated and compared.
@Suite("Verification of Wire's family", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct WireVerificationTests {
  private static let stores = SharedFixtures.manifest.filter { $0.folder == "wire" }
  private static let family = Result { try SharedFixtures.family("wire") }

  /// The versions in the order of their numbers.
  private static let versions = Result {
    try family.get().versions.sorted { $0.name.compare($1.name, options: .numeric) == .orderedAscending }
  }

  /// The index of each store's version in `versions`, by the store's name.
  private static let places = Result {
    let versions = try Self.versions.get()
    var places: [String: Int] = [:]
    for store in stores {
      let genuine = try GenuineStore(store)
      let metadata = try SourceStore(
        genuine.source.path, scratch: genuine.folder.path("scratch"), checksPages: false
      ).metadata
      places[store.store] = versions.firstIndex { $0.hashes == metadata.versionHashes }
    }
    return places
  }

  @Test("each store has one of the versions; more than 500 pairs of a store and a later version exist")
  func places() throws {
    let places = try Self.places.get()
    let versions = try Self.versions.get()
    #expect(places.count == 25 && Self.stores.count == 25)
    #expect(versions.count > 80)
    #expect(places.values.reduce(0) { $0 + versions.count - 1 - $1 } > 500)
  }

  @Test("a way is planned from each store to every later version", arguments: stores)
  func plan(store: SharedFixtures.Store) throws {
    let family = try Self.family.get()
    let versions = try Self.versions.get()
    let place = try #require(try Self.places.get()[store.store])
    for version in versions[place...].dropFirst() {
      let plan = try PathPlan.make(from: versions[place], to: version, in: family)
      #expect(plan.steps.count == 1 && plan.mappingModelFiles.isEmpty, "\(version.name)")
    }
  }

  /// For each version, the index of the version chooses one of the earlier stores.
  @Test("verify finds no difference in a sample of the ways that reaches every version", arguments: stores)
  func run(store: SharedFixtures.Store) throws {
    let versions = try Self.versions.get()
    let places = try Self.places.get()
    let place = try #require(places[store.store])
    let genuine = try GenuineStore(store)
    let verification = GenuineVerification(genuine, family: try Self.family.get())
    for (index, version) in versions.enumerated() where index > place {
      let earlier = places.filter { $0.value < index }.keys.sorted()
      guard earlier[index % earlier.count] == store.store else { continue }
      try verification.verify(from: versions[place], to: version)
    }
  }
}
