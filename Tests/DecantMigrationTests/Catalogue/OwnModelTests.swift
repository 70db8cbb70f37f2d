import DecantModel
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

/// Stores of a version that isn't in the catalogue, with their own models.
@Suite("Stores of an unknown version") struct OwnModelTests {
  private static let tag = "Tag\n  name String?"
  private static let old =
    "Note\n  text String?\n  title String?\n  tags ->> Tag.notes\n" + tag + "\n  notes ->> Note.tags"
  private static let now =
    "Note\n  text String?\n  title String?\n  stars Int16 = 3\n  tags ->> Tag.notes\n" + tag
    + "\n  notes ->> Note.tags"
  /// The version that the catalogue doesn't have.
  ///
  /// Only this version has `mood`.
  private static let lost =
    "Note\n  text String?\n  title String?\n  mood String?\n  tags ->> Tag.notes\n" + tag
    + "\n  notes ->> Note.tags"

  /// A store of V2, which isn't in the catalogue.
  ///
  /// The catalogue has V1 and V3, the current version.
  ///
  /// By default the store keeps its model.
  private func shop(
    mood: String = "NULL", cache: Data? = nil, keepsModel: Bool = true, settings: String? = nil
  ) throws -> Workshop {
    let shop = try Workshop(Self.old, Self.lost, Self.now, family: settings)
    let content =
      try cache ?? DeflateWriter.stored(CompiledModelWriter.data(try shop.model("V2"), as: .cacheWithCopies))
    try shop.makeStore(
      of: "V2",
      finally: keepsModel
        ? "DELETE FROM Z_MODELCACHE; INSERT INTO Z_MODELCACHE VALUES (\(CachingStore.blob(content)))" : "",
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZMOOD) VALUES (1, 1, 1, 'a', \(mood)), (2, 1, 1, 'b', NULL);"
        + "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 't');"
        + "INSERT INTO Z_1TAGS VALUES (2, 1)")
    try FileManager.default.removeItem(
      at: shop.catalogue.appendingPathComponent("Notes/Notes.xcdatamodeld/V2.xcdatamodel"))
    return shop
  }

  private func migrate(_ shop: Workshop, to target: String? = nil) throws -> MigrationReport {
    let report = try Migration.run(shop.job(to: target))
    let verification = try shop.verify()
    #expect(verification.isEqual, "\(verification)")
    return report
  }

  @Test("the store's own model serves as the source, and plan and report say so")
  func inferred() throws {
    let shop = try shop()
    let plan = try Migration.plan(shop.job())
    #expect(plan.sourceVersion == "the store's own model (nearest: V1)")
    #expect(plan.sourceOrigin == "own-model" && plan.nearestVersion == "V1")
    #expect(plan.targetVersion == "V3" && plan.steps.count == 1 && plan.family == "Notes")
    #expect(
      plan.warnings.contains(
        "The catalogue doesn't have the store's model version. The source model was taken from the store's own model "
          + "cache. The nearest version is “V1”."), "\(plan.warnings)")
    let report = try migrate(shop)
    #expect(report.sourceOrigin == "own-model" && report.nearestVersion == "V1")
    let result = try shop.read(shop.output, "V3")
    #expect(
      result.lines == [
        "Note#1 stars=3 text='a'", "Note#2 stars=3 text='b' tags=[Tag#1]", "Tag#1 name='t' notes=[Note#2]",
      ], "\(result.lines)")
  }

  @Test("a store that has the target version is not of an unknown version")
  func known() throws {
    let shop = try Workshop(Self.old, Self.now)
    try shop.makeStore(of: "V2", "")
    #expect(try Migration.plan(shop.job()).sourceOrigin == "catalogue")
  }

  @Test("a store whose values would be lost is refused, unless the target is named or the settings allow it")
  func losses() throws {
    let shop = try shop(mood: "'good'")
    let failure = try shop.failure()
    #expect(failure.reason == .unknownVersion && failure.disposition == .refuse)
    #expect(
      failure.message.contains("nearest is “V1”") && failure.message.contains("would be lost: Note.mood (1)"),
      "\(failure)")
    #expect(failure.advice.contains("--to"))
    let report = try migrate(shop, to: "V3")
    #expect(report.losses.map(Migrated.words) == ["attribute Note.mood 1"])
    for settings in ["{ target: \"V3\" }", "{ unknownVersions: \"infer\" }"] {
      let other = try self.shop(mood: "'good'", settings: settings)
      #expect(try migrate(other).losses.count == 1)
    }
  }

  @Test("a store without a usable model is refused, and the message says what is wrong with an unusable one")
  func withoutModel() throws {
    var failure = try shop(keepsModel: false).failure()
    #expect(failure.reason == .unknownVersion)
    #expect(failure.message.hasSuffix("(changed: “Note”)."), "\(failure)")
    failure = try shop(cache: Data([0xff, 0xff])).failure()
    #expect(failure.reason == .unknownVersion)
    #expect(
      failure.message.hasSuffix(
        "The store keeps its own model, but it can't be used: it isn't a deflate stream, or it is damaged."),
      "\(failure)")
    let other = DeflateWriter.stored(
      CompiledModelWriter.data(try Workshop(Self.old, Self.now).model("V2"), as: .cacheWithCopies))
    failure = try shop(cache: other).failure()
    #expect(failure.message.contains("it is of another version than the metadata states"), "\(failure)")
  }

  @Test("the store is refused if the family has a mapping model or a path, unless the settings allow it")
  func mappingModels() throws {
    let shop = try shop()
    try shop.folder.write("{ source: \"V1\", destination: \"V3\" }", to: "models/Notes/One.mapping.json5")
    var failure = try shop.failure()
    #expect(failure.reason == .unknownVersion)
    #expect(failure.message.contains("could bypass the mapping model “One.mapping.json5”"), "\(failure)")
    #expect(failure.advice.contains("unknownVersions: \"infer\""))
    failure = try #require(#expect(throws: MigrationFailure.self) { try Migration.plan(shop.job(to: "V1")) })
    #expect(failure.reason == .unknownVersion)
    try shop.folder.write("{ unknownVersions: \"infer\" }", to: "models/Notes/family.json5")
    #expect(try migrate(shop).steps.count == 1)
    let path = try self.shop(settings: "{ path: [\"V1\", \"V3\"] }")
    #expect(try path.failure().message.contains("could bypass the “path” of family.json5"))
  }

  @Test("a family's settings can refuse all unknown versions")
  func refused() throws {
    let failure = try shop(settings: "{ unknownVersions: \"refuse\" }").failure()
    #expect(failure.reason == .unknownVersion)
    #expect(failure.message.contains("says unknownVersions: \"refuse\""), "\(failure)")
  }

  @Test("a family without a similar version isn't chosen, unless it is named")
  func likeness() throws {
    let shop = try shop()
    let far = "Note\n  a String?\n  b String?\n  c String?\n  d String?\nPlace\n  name String?\n  e String?"
    for version in ["V1", "V3"] {
      try shop.folder.write(
        ModelText(far).contents, to: "models/Notes/Notes.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    var failure = try shop.failure()
    #expect(failure.reason == .unknownVersion)
    #expect(failure.message.hasSuffix("but no family has a similar version."), "\(failure)")
    #expect(
      failure.advice
        == "Add that version of the model to the family's folder. Or, if the store belongs to “Notes”, name that family "
        + "with --family. If the family's target has no place for values of the store, name the target, too, with --to; "
        + "otherwise the store is refused.")
    var job = shop.job()
    job.family = "Notes"
    failure = try #require(#expect(throws: MigrationFailure.self) { try Migration.plan(job) })
    #expect(failure.message.contains("would be lost"), "\(failure)")
    job.target = "V3"
    #expect(try Migration.plan(job).nearestVersion == "V3")
  }

  @Test("the advice proposes only families that can migrate the store, whichever family the job names")
  func noCandidate() throws {
    let shop = try shop()
    try shop.folder.write(
      ModelText("Place\n  name String?").contents, to: "models/Other/Other.xcdatamodel/contents")
    for version in ["V1", "V3"] {
      try shop.folder.write(
        ModelText("Shelf\n  name String?").contents,
        to: "models/Notes/Notes.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    var job = shop.job()
    for family in [nil, "Notes", "Other"] {
      job.family = family
      let failure = try #require(#expect(throws: MigrationFailure.self) { try Migration.plan(job) })
      #expect(
        failure.advice
          == "If another app wrote the store, use that app's catalogue; otherwise add the store's version of the model to the "
          + "family's folder; no usable family of the catalogue can migrate the store by "
          + "its own model.")
    }
    try shop.folder.write(ModelText(Self.now).contents, to: "models/Twin/Twin.xcdatamodel/contents")
    let failure = try #require(#expect(throws: MigrationFailure.self) { try Migration.plan(job) })
    #expect(
      failure.advice.contains("if the store belongs to “Twin”, name that family with --family."), "\(failure)")
  }

  @Test("a store similar to versions of two families is refused with both names, until one is chosen")
  func severalFamilies() throws {
    let shop = try shop()
    try shop.folder.write(ModelText(Self.now).contents, to: "models/Twin/Twin.xcdatamodel/contents")
    let failure = try shop.failure()
    #expect(failure.reason == .unknownVersion)
    #expect(
      failure.message.hasSuffix("similar to versions of several families: “Notes”, “Twin”."), "\(failure)")
    var job = shop.job()
    job.family = "Twin"
    #expect(try Migration.plan(job).family == "Twin")
  }

  @Test("the store waits while another family is broken, because it may belong to that family")
  func brokenFamily() throws {
    let shop = try shop()
    try shop.folder.write("x", to: "models/Other/Other.xcdatamodeld/README")
    #expect(try shop.failure().disposition == .catalogue)
  }
}
