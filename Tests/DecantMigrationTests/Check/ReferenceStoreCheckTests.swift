import DecantModel
import DecantStore
import Foundation
import Testing

@testable import DecantMigration

/// A check names the versions for which a reference store would settle something, and only those.
@Suite struct ReferenceStoreCheckTests {
  private static let plain = "Note\n text String?\n at Date?"
  private static let indexed = "\(plain)\n more String?\n index byText text,at where 'text != nil'"
  /// Which column of two has the digit isn't known where a third is called so by itself.
  private static let open = "\(plain)\nMemo < Note\n s String?\n s1 String?\nPost < Note\n s String?"

  private func findings(_ shop: Workshop) throws -> [FamilyReport.Finding] {
    try CatalogueCheck.report(at: shop.catalogue).families.flatMap(\.findings)
      .filter { $0.message.contains("eference store") }
  }

  /// Puts an empty store of a version into the folder `reference`, as far as its layout is known.
  private func addReference(_ version: String, to shop: Workshop) throws {
    let layout = try StoreLayout(try shop.model(version), framework: .current, isPassing: true)
    let folder = shop.catalogue.appendingPathComponent("Notes/reference")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store = try DestinationStore(
      at: folder.appendingPathComponent("\(version).sqlite").path, layout: layout)
    let metadata = StoreMetadata(uuid: Workshop.uuid, entries: [:])
    try store.finish(
      metadata: metadata.updated(for: layout.model, framework: .current), maxima: [:], usesWriteAheadLog: false)
  }

  @Test func noVersionIsNamedWhereTheRulesSettleAll() throws {
    let shop = try Workshop(Self.plain, "\(Self.plain)\n more String?")
    #expect(try findings(shop).isEmpty)
  }

  @Test func aTargetWhoseTablesAreOpenIsAnErrorUntilItsReferenceStoreIsThere() throws {
    let shop = try Workshop(Self.plain, Self.open)
    let before = try #require(try findings(shop).first)
    #expect(before.severity == .error)
    #expect(before.message.contains("version “V2” yet"), "\(before.message)")
    #expect(before.message.contains("Post.s: "), "\(before.message)")
    #expect(before.message.contains("scripts/reference-stores.swift"), "\(before.message)")
    try addReference("V1", to: shop)
    let other = try #require(try findings(shop).first)
    #expect(
      other.severity == .error && other.message.contains("V1.sqlite is of version “V1”"), "\(other.message)")
    try addReference("V2", to: shop)
    #expect(try findings(shop).isEmpty)
  }

  @Test func aTargetWithAnIndexThatHasAPredicateIsAWarningUntilItsReferenceStoreIsThere() throws {
    let shop = try Workshop(Self.plain, Self.indexed)
    let before = try findings(shop)
    #expect(before.map(\.severity) == [.warning])
    #expect(before.first?.message.contains("version “V2” would settle Note.byText") == true, "\(before)")
    try addReference("V2", to: shop)
    #expect(try findings(shop).isEmpty)
  }

  @Test func aVersionThatStoresLeaveIsNotNamed() throws {
    let shop = try Workshop(Self.open, Self.plain)
    #expect(try findings(shop).isEmpty)
  }

  @Test func theCheckLeavesNoFileBehind() throws {
    let shop = try Workshop(Self.plain, Self.open)
    try addReference("V2", to: shop)
    let before = try FolderPicture(shop.folder.url)
    _ = try findings(shop)
    #expect(try FolderPicture(shop.folder.url) == before)
  }
}
