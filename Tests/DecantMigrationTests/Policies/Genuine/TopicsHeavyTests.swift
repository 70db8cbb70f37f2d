import DecantPolicies
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

/// A topic's presenter, a name and an address, becomes a member that all topics of the presenter share.
///
/// Three mapping models for one pair of versions name this policy. So an earlier pass may have made the member already.
final class CDMTopicToTopicMigrationPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    // All three passes have an entity mapping with this name. The topic is found by its source object.
    guard
      let topic = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance]
      ).first,
      let name = sInstance.value(forKey: "presenterName") as? String
    else { return }
    let words = name.split(separator: " ").map(String.init)
    let values: [(key: String, text: String?)] = [
      ("firstName", words.first), ("lastName", words.count > 1 ? words.last : nil),
      ("email", sInstance.value(forKey: "presenterEmail") as? String),
    ]
    let context = manager.destinationContext
    let known = try context.fetch(
      .init(
        entity: "Member",
        predicate: .and(
          values.map { value in
            .compare(
              .path(from: .selfObject, [.key(value.key)]), .equal,
              .constant(value.text.map { .string($0) } ?? .null))
          })))
    let member = known.first ?? context.insertObject(ofEntity: "Member")
    for value in values { member.setValue(value.text, forKey: value.key) }
    topic.setValue(member, forKey: "presenter")
  }
}

@Suite("Heavy: topics", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct TopicsHeavyTests {
  private static let passes = ["Model4ToModel5-1", "Model4ToModel5-2", "Model4ToModel5-3"]
  private static let order = "{ order: [\(passes.map { "\"\($0)\"" }.joined(separator: ", "))] }"
  /// Titles inside and outside the three ranges of letters, and presenters whose names occur in several ranges.
  private static let statements = """
    UPDATE ZTOPICLIST SET ZTITLE = CASE Z_PK % 9 WHEN 0 THEN 'Élan' WHEN 1 THEN 'apple' WHEN 2 THEN 'Igloo'
      WHEN 3 THEN 'zebra' WHEN 4 THEN NULL WHEN 5 THEN '1st' WHEN 6 THEN 'hat' WHEN 7 THEN 'Pear' ELSE 'Quince' END;
    UPDATE ZTOPIC SET ZPRESENTERNAME = CASE Z_PK % 4 WHEN 0 THEN 'Ann' WHEN 1 THEN 'Bob de Vries' WHEN 2 THEN ''
      ELSE 'Ann Ø' END, ZPRESENTEREMAIL = CASE Z_PK % 3 WHEN 0 THEN NULL ELSE 'a@b.example' END;
    """

  private func family(_ version: String, rows: Int = 80, then: String = "", configuration: String? = order)
    throws -> HeavyFamily
  {
    try HeavyFamily(
      "mapping/topics", .generated(version: version, rows: rows, then: Self.statements + then),
      policies: ["CDMTopicToTopicMigrationPolicy": CDMTopicToTopicMigrationPolicy.self],
      configuration: configuration)
  }

  @Test("three passes share the members; topics with titles outside a to z are left behind and counted")
  func threePasses() throws {
    let family = try family("Model4")
    let result = try family.checkEveryManner(to: "Model5", sizes: [1, 7, 30], stopSize: 6)
    #expect(result.report.steps.map(\.passes) == [Self.passes])
    try check(result, timeFactor: 1)
    try family.checkRefusal(
      to: "Model5", naming: "CDMTopicToTopicMigrationPolicy", in: "Model4ToModel5-1.xcmappingmodel")
  }

  @Test("from version 1 in four steps, with arithmetic in two of them")
  func fourSteps() throws {
    let family = try family(
      "Model1", rows: 70, then: "UPDATE ZTOPIC SET ZCONTENT = 'x' WHERE ZCONTENT IS NULL;")
    let result = try family.checkEveryManner(to: "Model5", sizes: [1, 7], stopSize: 11)
    #expect(
      result.report.steps.map(\.passes) == [["Model1ToModel2"], ["inferred"], ["Model3ToModel4"], Self.passes])
    try check(result, timeFactor: nil)
  }

  @Test func withoutAWrittenOrderItIsRefused() throws {
    let family = try family("Model4", configuration: nil)
    let failure = #expect(throws: MigrationFailure.self) { try Migration.plan(family.job(to: "Model5")) }
    #expect(failure?.reason == .passOrder)
    let words = ([failure?.message ?? ""] + (failure?.details ?? [])).joined(separator: " ")
    #expect(words.contains("3 mapping models") && words.contains(Self.passes[0]), "\(words)")
    #expect(failure?.disposition == .catalogue)
  }

  private func check(_ result: Migrated, timeFactor: Int64?) throws {
    func range(_ list: LogicalStore.Object?) -> Int? {
      guard let first = list?.text("title")?.lowercased().unicodeScalars.first else { return nil }
      return [("a", "h"), ("i", "p"), ("q", "z")].firstIndex {
        ($0.0...$0.1).contains(String(first)) && first.isASCII
      }
    }
    let lists = result.source.all("TopicList")
    let topics = result.source.all("Topic")
    let listOf = { (topic: LogicalStore.Object) in
      topic.toOne["topicList"].flatMap { result.source.objects[$0] }
    }
    var accounts: [String] = []
    for pass in 0..<3 {
      let kept = (
        topics.count { range(listOf($0.object)) == pass }, lists.count { range($0.object) == pass }
      )
      accounts += [
        "TopicToTopic \(topics.count) = \(kept.0) + \(topics.count - kept.0)",
        "TopicListToTopicList \(lists.count) = \(kept.1) + \(lists.count - kept.1)",
      ]
    }
    #expect(Array(result.allAccounts.suffix(6)) == accounts)
    let living = topics.filter { range(listOf($0.object)) != nil }
    #expect(living.count > 8 && living.count < topics.count)
    #expect(result.counts["Topic"] == living.count)
    #expect(result.counts["TopicList"] == lists.count { range($0.object) != nil })
    // The presenters of the migrated topics.
    let presenters = living.map {
      [$0.object.text("presenterName") ?? "", $0.object.text("presenterEmail") ?? "-"]
    }
    #expect(result.counts["Member"] == Set(presenters).count)
    func words(_ topic: LogicalStore.Object, _ store: LogicalStore, _ name: String) -> [String] {
      let list = topic.toOne["topicList"].flatMap { store.objects[$0]?.text("title") }
      return [name, list ?? "-", topic.number("dateCreated").map { "\($0)" } ?? "-"]
    }
    let before = living.map { topic in
      words(topic.object, result.source, topic.object.text("presenterName") ?? "")
        + [topic.object.text("presenterEmail") ?? "-"]
    }
    let after = result.store.all("Topic").map { topic in
      let member = topic.object.toOne["presenter"].flatMap { result.store.objects[$0] }
      let name = [member?.text("firstName"), member?.text("lastName")].compactMap { $0 }
      return words(
        topic.object, result.store, name.joined(separator: " ").replacing("Bob Vries", with: "Bob de Vries"))
        + [member?.text("email") ?? "-"]
    }
    let inOrder = { (left: [String], right: [String]) in left.lexicographicallyPrecedes(right) }
    #expect(after.sorted(by: inOrder) == before.sorted(by: inOrder))
    guard let timeFactor else { return }
    #expect(
      result.store.all("Topic").compactMap { $0.object.integer("timeBudget") }.sorted()
        == living.compactMap { $0.object.integer("timeBudget").map { $0 * timeFactor } }.sorted())
  }
}
