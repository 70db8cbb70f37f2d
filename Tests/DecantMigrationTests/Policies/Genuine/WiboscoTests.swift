import DecantPolicies
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

/// Divides a post's content into sections: one for each paragraph, with the paragraph's first words as title.
///
/// The posts of version 3 have no content, but `sections` with `index`, `title` and `body`.
final class Post2ToPost3MigrationPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard
      let post = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance]
      ).first,
      let content = sInstance.value(forKey: "content") as? String
    else { return }
    let sections = post.mutableSetValue(forKey: "sections")
    for (index, body) in Self.paragraphs(of: content).enumerated() {
      let section = manager.destinationContext.insertObject(ofEntity: "Section")
      section.setValue(index, forKey: "index")
      section.setValue(body.split(separator: " ").prefix(3).joined(separator: " "), forKey: "title")
      section.setValue(body, forKey: "body")
      sections.add(section)
    }
  }

  static func paragraphs(of content: String) -> [String] {
    content.split(separator: "\n").map(String.init)
  }
}

@Suite("Heavy: wibosco", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct WiboscoTests {
  private func family(_ store: String) throws -> HeavyFamily {
    try HeavyFamily(
      "stores/wibosco", .genuine(store),
      policies: ["CoreDataMigration_Example.Post2ToPost3MigrationPolicy": Post2ToPost3MigrationPolicy.self])
  }

  @Test(
    "to version 4, through the mapping model from 2 to 3",
    arguments: [("CoreDataMigration_Example_1.sqlite", 3), ("CoreDataMigration_Example_2.sqlite", 2)])
  func sections(store: String, steps: Int) throws {
    let family = try family(store)
    let result = try family.checkEveryManner(to: nil)
    #expect(result.report.targetVersion == "CoreDataMigration_Example 4")
    #expect(
      result.report.steps.map(\.passes)
        == Array([["inferred"], ["Migration2to3ModelMapping"], ["inferred"]].suffix(steps)))
    #expect(result.counts == ["Post": 10, "Section": 91])
    for step in result.report.steps {
      #expect(step.entities.first { $0.entityMapping == "PostToPost" }?.migrated == 10)
    }
    // The sections hold the content word for word. The other values of a post are unchanged.
    for (key, post) in result.source.all("Post") {
      let now = try #require(result.store.objects[key])
      let sections = (now.toMany["sections"] ?? []).compactMap { result.store.objects[$0] }
        .sorted { ($0.integer("index") ?? -1) < ($1.integer("index") ?? -1) }
      let paragraphs = Post2ToPost3MigrationPolicy.paragraphs(of: post.text("content") ?? "")
      #expect(sections.map { $0.text("body") } == paragraphs)
      #expect(sections.map { $0.integer("index") } == paragraphs.indices.map { Int64($0) })
      #expect(sections.allSatisfy { $0.toOne["post"] == key && $0.text("title")?.isEmpty == false })
      #expect(now.text("hexColor") == post.text("hexColor") ?? post.text("color"))
      #expect(now.attributes["date"] == post.attributes["date"] && now.text("postID") == post.text("postID"))
      #expect(now.integer("softDeleted") == 0)
    }
    try family.checkRefusal(
      to: nil, naming: "CoreDataMigration_Example.Post2ToPost3MigrationPolicy",
      in: "Migration2to3ModelMapping.xcmappingmodel")
  }

  @Test func bothStoresEndAsTheSameOne() throws {
    let one = try #require(try family("CoreDataMigration_Example_1.sqlite").migrate(to: nil))
    let two = try #require(try family("CoreDataMigration_Example_2.sqlite").migrate(to: nil))
    #expect(one.store.lines == two.store.lines)
  }
}
