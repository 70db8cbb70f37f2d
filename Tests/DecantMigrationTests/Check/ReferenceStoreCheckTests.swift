import DecantModel
import DecantStore
import Foundation
import Testing

@testable import DecantMigration

/// A check names exactly the versions for which a reference store would settle an open point of the rules.
@Suite struct ReferenceStoreCheckTests {
  private static let plain = "Note\n text String?\n at Date?"
  private static let indexed = "\(plain)\n more String?\n index byText text,at where 'text != nil'"
  /// Two entities have a property `s` in one table, so one of the two columns gets a digit.
  ///
  /// The rules don't say which one if a property `s1` is there, too.
  private static let open = "\(plain)\nMemo < Note\n s String?\n s1 String?\nPost < Note\n s String?"

  private func findings(_ shop: Workshop) throws -> [FamilyReport.Finding] {
    try CatalogueCheck.report(at: shop.catalogue).families.flatMap(\.findings)
      .filter { $0.message.contains("eference store") }
  }

  /// Puts an empty store of a version into `reference`.
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

  @Test func aVersionThatStoresLeaveIsNotNamedWhereTheirOwnTablesGiveTheAnswer() throws {
    // Two columns of the join tables have the same name, except for the digit.
    let joined = """
      \(Self.plain)
       tags ->> Tag.notes
       tags1 ->> Tag.notes1
      Memo
       tags ->> Tag.memos
      Tag
       notes ->> Note.tags
       notes1 ->> Note.tags1
       memos ->> Memo.tags
      """
    let shop = try Workshop(joined, Self.plain)
    try #require(
      StoreLayout(try shop.model("V1"), framework: .current).unsettled.contains { $0.isToldByTables })
    #expect(try findings(shop).isEmpty)
  }

  /// The tables and columns of these properties may differ from those in a store.
  @Test func aVersionThatStoresLeaveIsAWarningWhereTheirOwnTablesMayGiveNoAnswer() throws {
    for (open, property) in [(Self.open, "Post.s: "), (Self.repeating, "Memo.text: ")] {
      let shop = try Workshop(open, Self.plain)
      let before = try findings(shop)
      #expect(before.map(\.severity) == [.warning])
      let message = try #require(before.first?.message)
      #expect(message.hasPrefix("Whether stores of version “V1” can be read isn't certain."), "\(message)")
      #expect(message.contains(property) && message.contains("scripts/reference-stores.swift"), "\(message)")
      try addReference("V1", to: shop)
      #expect(try findings(shop).isEmpty)
    }
  }

  private static let repeating = "\(plain)\nMemo < Note\n text String?"
  private static let ownInverse = "\(plain)\n near ->> Note.near"

  private func all(_ shop: Workshop) throws -> [FamilyReport.Finding] {
    try CatalogueCheck.report(at: shop.catalogue).families.flatMap(\.findings)
  }

  private func unreadable(_ shop: Workshop) throws -> [String] {
    try CatalogueCheck.report(at: shop.catalogue).families.flatMap(\.findings)
      .filter { $0.severity == .error }.map(\.message)
  }

  @Test func aVersionWhoseStoresCannotBeReadIsAnErrorWhereverItStands() throws {
    let question = "Note.near: how the join table of a relationship that is its own inverse is laid out"
    func begin(_ texts: String..., family: String? = nil) throws -> [String] {
      let errors = try unreadable(Workshop(texts))
      #expect(errors.allSatisfy { $0.contains(question) }, "\(errors)")
      return errors.map { String($0.prefix { $0 != ":" }) }
    }
    #expect(try begin(Self.ownInverse, Self.plain) == ["Stores of version “V1” can't be read"])
    #expect(try begin(Self.plain, Self.ownInverse) == ["Stores can't be migrated to version “V2”"])
    #expect(try begin(Self.ownInverse) == ["Stores of version “V1” can't be read"])
  }

  /// A store of the family's only version isn't migrated, so the finding isn't an error.
  @Test func aLoneVersionOfWhichNoStoreCanBeMadeIsAWarning() throws {
    func findings(_ text: String) throws -> [FamilyReport.Finding] { try all(Workshop(text)) }
    let nested = try findings("\(Self.plain)\n place {deep:Composite?,n:Int16?}?")
    #expect(nested.map(\.severity) == [.warning])
    let message = try #require(nested.first?.message)
    #expect(message.hasPrefix("No store of version “V1” can be made: "), "\(message)")
    #expect(
      message.contains("Note.place: which columns a composite attribute within a composite attribute has"),
      "\(message)")
    #expect(try findings("\(Self.plain)\n place {n:Int16?}?").isEmpty)
  }

  /// The triggers of the derived attribute aren't known.
  ///
  /// So the store between the two steps can't be made.
  @Test func aVersionOnTheWayWithAnotherDerivationIsAnErrorThatNamesEntityAndAttribute() throws {
    let derived = "\(Self.plain)\n short String? derived 'canonical:(text)'"
    let shop = try Workshop(Self.plain, derived, "\(Self.plain)\n more String?")
    #expect(try unreadable(shop).isEmpty)
    try shop.map("First", "{ source: \"Note\", destination: \"Note\" }", further: "")
    try shop.map(
      "Second", "{ source: \"Note\", destination: \"Note\" }", further: "", source: "V2", destination: "V3")
    let sentence =
      "it isn't known how Core Data stores this: Note.short: the triggers of the derivation “canonical:(text)”."
    #expect(
      try unreadable(shop) == ["Stores whose path leads through version “V2” can't be migrated: \(sentence)"])
    try shop.makeStore("")
    #expect(try shop.failure().details == ["Note.short: the triggers of the derivation “canonical:(text)”"])
    let lone = try all(Workshop(derived))
    #expect(lone.map(\.severity) == [.warning] && lone[0].message.contains(sentence), "\(lone)")
  }

  @Test func aVersionThroughWhichNoWayCanLeadIsToldOnce() throws {
    let shop = try Workshop(Self.plain, Self.ownInverse, "\(Self.plain)\n more String?")
    try shop.map("First", "{ source: \"Note\", destination: \"Note\" }", further: "")
    try shop.map(
      "Second", "{ source: \"Note\", destination: \"Note\" }", further: "", source: "V2", destination: "V3")
    let errors = try unreadable(shop)
    #expect(errors.count == 1)
    #expect(
      errors.first?.hasPrefix(
        "Stores of version “V2”, and all whose path leads through it, can't be migrated: ") == true, "\(errors)"
    )
  }

  @Test func theCheckLeavesNoFileBehind() throws {
    let shop = try Workshop(Self.plain, Self.open)
    try addReference("V2", to: shop)
    let before = try FolderPicture(shop.folder.url)
    _ = try findings(shop)
    #expect(try FolderPicture(shop.folder.url) == before)
  }
}
