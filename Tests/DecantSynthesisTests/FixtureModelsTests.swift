import DecantModel
import DecantStore
import DecantSynthesis
import DecantTestSupport
import Foundation
import Testing

@Suite("Synthetic stores of genuine models", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct FixtureModelsTests {
  @Test("every version of every family gives a store that keeps the model's rules", arguments: bundles)
  func versions(path: String) throws {
    guard let bundle = try read(path) else { return }
    for version in bundle.versions {
      let folder = try TemporaryFolder()
      let name = "\(path)#\(version.name)"
      do {
        let summary = try SyntheticStore.write(model: version.model, rows: 300, to: folder.path("a.sqlite"))
        let store = try SourceStore(folder.path("a.sqlite"), scratch: folder.path("scratch"))
        let layout = try store.layout(for: version.model, version: version.name)
        #expect(try StoreRules(store: store, layout: layout).violations() == [], "\(name)")
        let isWithoutIndex = version.model.entities.contains { entity in
          entity.fetchIndexes.contains { $0.partialIndexPredicate != nil }
        }
        // Values of an app's own classes can't be made.
        let shortcomings = summary.shortcomings.filter { !$0.contains("can't be made, so the values are") }
        #expect(shortcomings.allSatisfy { $0.hasPrefix("index ") }, "\(name): \(shortcomings)")
        #expect(shortcomings.isEmpty != isWithoutIndex, "\(name)")
        #expect(summary.entities.values.reduce(0, +) == 300, "\(name)")
        #expect(!Self.unsettled.contains(name), "\(name) is settled now; take it off the list")
      } catch is LayoutError {
        #expect(Self.unsettled.contains(name), "\(name)")
      }
    }
  }

  /// The bundle, or `nil` if it is in the form from before Xcode 4.
  private func read(_ path: String) throws -> ModelBundle? {
    do {
      return try ModelBundle.read(at: SharedFixtures.root.appendingPathComponent(path))
    } catch {
      #expect(Self.unsupported.contains(path), "\(path): \(error)")
      return nil
    }
  }

  private static let unsupported: Set<String> = [
    "mapping/before-xcode4/Recipes.xcdatamodeld",
    "stores/apple-coredatabooks/CoreDataBooks.xcdatamodel",
    "stores/apple-coredatabooks/CoreDataBooks.xcdatamodeld",
    "stores/apple-eventmanager/MyDocument.xcdatamodel",
    "stores/restkit-twitter/RKTwitterCoreData.xcdatamodel",
  ]

  /// Models whose layout has an open point (docs/formats/core-data-sqlite.md 13).
  private static let unsettled: Set<String> = [
    // The model has a composite attribute.
    "mapping/composite/Model.xcdatamodeld#Model",
    // The model has a many-to-many relationship that is its own inverse.
    "stores/artsy-folio/ArtsyPartner.xcdatamodeld#ArtsyFolio v2.1",
  ]

  static let bundles: [String] = {
    let found =
      FileManager.default.enumerator(atPath: SharedFixtures.root.path)?.compactMap { $0 as? String } ?? []
    let folders = found.filter {
      $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".xcdatamodel") && !$0.contains(".xcdatamodeld/")
    }
    return folders.sorted()
  }()
}
