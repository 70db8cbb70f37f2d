import DecantModel
import DecantSQLite
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport
@testable import DecantVerification

/// Migrations of stores of one configuration, and of stores of merged models.
@Suite("Migration of configurations and merges") struct PartAndMergeTests {
  private let folder: TemporaryFolder
  private var source: URL { folder.url.appendingPathComponent("in/Store.sqlite") }
  private var output: URL { folder.url.appendingPathComponent("out/Store.sqlite") }

  init() throws { folder = try TemporaryFolder("decant-parts") }

  private func write(_ text: String, bundle: String, version: String, members: [String: [String]] = [:]) throws
  {
    let configurations = members.sorted { $0.key < $1.key }.map { name, members in
      "<configuration name=\"\(name)\">" + members.map { "<memberEntity name=\"\($0)\"/>" }.joined()
        + "</configuration>"
    }.joined()
    try folder.write(
      ModelText(text).contents.replacing("</model>", with: configurations + "</model>"),
      to: "models/App/\(bundle).xcdatamodeld/\(version).xcdatamodel/contents")
    try folder.write(
      "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>\(version).xcdatamodel</string></dict>"
        + "</plist>", to: "models/App/\(bundle).xcdatamodeld/.xccurrentversion")
  }

  private func model(_ bundle: String, _ version: String) throws -> ManagedObjectModel {
    let url = folder.url.appendingPathComponent("models/App/\(bundle).xcdatamodeld/\(version).xcdatamodel")
    return try ModelBundle.read(at: url).currentVersion().model
  }

  private func makeStore(of model: ManagedObjectModel, _ sql: String) throws {
    try FileManager.default.createDirectory(
      at: source.deletingLastPathComponent(), withIntermediateDirectories: true)
    let layout = try StoreLayout(model, framework: FrameworkVersion(1344))
    let store = try DestinationStore(at: source.path, layout: layout)
    try store.database.execute(sql)
    for statement in try store.missingIndexes() { try store.database.execute(statement) }
    try store.finish(
      metadata: StoreMetadata(uuid: Workshop.uuid, entries: [:]).updated(
        for: model, framework: layout.framework),
      maxima: [:], usesWriteAheadLog: false)
  }

  private func job(to target: String? = nil) -> MigrationJob {
    MigrationJob(
      source: source, output: output, workFolder: folder.url.appendingPathComponent("out/work"),
      catalogue: folder.url.appendingPathComponent("models"), target: target)
  }

  private func migrate(to target: String? = nil) throws -> MigrationReport {
    try? FileManager.default.removeItem(at: output)
    let report = try Migration.run(job(to: target))
    let verification = try Verification.run(
      source: source, destination: output, catalogue: job().catalogue,
      scratch: folder.url.appendingPathComponent("verify"))
    #expect(verification.isEqual, "\(verification)")
    return report
  }

  private func text(_ sql: String) throws -> [[SQLiteValue]] {
    try SQLiteDatabase(output.path, mode: .immutable).rows(sql)
  }

  private func failure(to target: String? = nil) throws -> MigrationFailure {
    try #require(#expect(throws: MigrationFailure.self) { try Migration.plan(job(to: target)) })
  }

  // MARK: Configurations

  private static let members = ["Cloud": ["Note", "Tag"], "Local": ["Draft"]]

  /// Writes the versions App 1 and App 2.
  ///
  /// Their entity Draft is not in the configuration Cloud.
  private func configured() throws {
    let tag = "Tag\n  name String?\n  note -> Note.tags"
    let draft = "Draft\n  text String?"
    try write(
      draft + "\nNote\n  text String?\n  tags ->> Tag.note\n" + tag, bundle: "App", version: "App 1",
      members: Self.members)
    try write(
      draft + "\n  more String?\nNote\n  body String? was text\n  stars Int16 = 4\n  tags ->> Tag.note\n" + tag,
      bundle: "App", version: "App 2", members: Self.members)
  }

  @Test("a store of a configuration is migrated to the same configuration of the target")
  func configuration() throws {
    try configured()
    let model = try #require(try model("App", "App 1").configured("Cloud"))
    try makeStore(
      of: model,
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a');"
        + "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZNOTE) VALUES (1, 2, 1, 't', 1)")
    let report = try migrate()
    #expect(report.sourceOrigin == "configuration")
    #expect(report.sourceVersion == "App 1, configuration Cloud")
    #expect(report.targetVersion == "App 2, configuration Cloud")
    #expect(try text("SELECT ZBODY, ZSTARS FROM ZNOTE") == [[.text("a"), .integer(4)]])
    #expect(
      try text("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") == [
        [.integer(1), .text("Note")], [.integer(2), .text("Tag")],
      ])
    let store = try SourceStore(output.path, scratch: folder.path("scratch"))
    let target = try #require(try self.model("App", "App 2").configured("Cloud"))
    #expect(store.metadata.versionHashes == target.entityVersionHashes)
    #expect(store.schema.tables["ZDRAFT"] == nil)
    #expect(try migrate(to: "App 2").targetVersion == "App 2, configuration Cloud")
  }

  @Test("a target without the configuration is refused; a store of the target's configuration needs no step")
  func unchanged() throws {
    try configured()
    try write("Note\n  x String?", bundle: "App", version: "App 3", members: ["Other": ["Note"]])
    try makeStore(of: try #require(try model("App", "App 2").configured("Cloud")), "")
    let failure = try failure()
    #expect(failure.reason == .noConfiguration && failure.disposition == .refuse)
    #expect(
      failure.message.hasSuffix(
        " can't be migrated: family “App”, version “App 3”: it has no configuration “Cloud”."),
      "\(failure)")
    #expect(failure.advice.hasPrefix("Name a version that has the configuration"))
    #expect(try self.failure(to: "App 3").reason == .noConfiguration)
    #expect(try Migration.plan(job(to: "App 2")).steps.isEmpty)
  }

  @Test("a store whose entity numbers aren't those of the configuration is refused")
  func numbers() throws {
    try configured()
    try makeStore(of: try #require(try model("App", "App 1").configured("Cloud")), "")
    try SQLiteDatabase(source.path, mode: .readWrite).execute(
      "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 1 WHERE Z_NAME = 'Tag'")
    #expect(try failure().reason == .inconsistentStore)
  }

  // MARK: Merges

  /// Writes the versions Notes 1, Notes 2, Places 1 and Places 2, and a store of Notes 1 and Places 1.
  private func merged() throws {
    try write("Note\n  text String?", bundle: "Notes", version: "Notes 1")
    try write("Note\n  body String? was text", bundle: "Notes", version: "Notes 2")
    try write("Place\n  name String?", bundle: "Places", version: "Places 1")
    try write("Place\n  name String?\n  stars Int16 = 4", bundle: "Places", version: "Places 2")
    try makeStore(
      of: try ManagedObjectModel.merging([model("Notes", "Notes 1"), model("Places", "Places 1")]),
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a');"
        + "INSERT INTO ZPLACE (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'p')")
  }

  @Test("a store of merged models is migrated to the merge of the current versions, or to the named versions")
  func merge() throws {
    try merged()
    let report = try migrate()
    #expect(report.sourceOrigin == "merge" && report.sourceVersion == "Notes 1 + Places 1")
    #expect(report.targetVersion == "Notes 2 + Places 2" && report.losses.isEmpty)
    #expect(try text("SELECT ZBODY FROM ZNOTE") == [[.text("a")]])
    #expect(try text("SELECT ZNAME, ZSTARS FROM ZPLACE") == [[.text("p"), .integer(4)]])
    #expect(try migrate(to: "Places 1").targetVersion == "Notes 2 + Places 1")
    #expect(try migrate(to: "Places 2 + Notes 1").targetVersion == "Notes 1 + Places 2")
    #expect(try Migration.plan(job(to: "Notes 1 + Places 1")).steps.isEmpty)
    #expect(try failure(to: "Notes 9").reason == .unknownTarget)
    try folder.write("{ target: \"Notes 2 + Places 1\" }", to: "models/App/family.json5")
    #expect(try migrate().targetVersion == "Notes 2 + Places 1")
  }

  @Test("a store is refused if the target of one model is older, unless this target is named")
  func back() throws {
    try merged()
    try folder.write(
      "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>Places 1.xcdatamodel</string></dict></plist>",
      to: "models/App/Places.xcdatamodeld/.xccurrentversion")
    try FileManager.default.removeItem(at: source)
    try makeStore(
      of: try ManagedObjectModel.merging([model("Notes", "Notes 1"), model("Places", "Places 2")]), "")
    let failure = try failure()
    #expect(failure.reason == .olderTarget)
    #expect(failure.message.contains("“Places 2”, and the current version “Places 1”"), "\(failure)")
    #expect(try migrate(to: "Notes 2 + Places 1").result == .migrated)
  }

  @Test("if one model needs several steps, the store has several steps with all models")
  func chain() throws {
    try merged()
    // A text can't become a number in one step. It can over a version that doesn't have the attribute.
    try write("Note\n  other String?", bundle: "Notes", version: "Notes 2")
    try write("Note\n  text Int16 = 1", bundle: "Notes", version: "Notes 3")
    let report = try migrate()
    #expect(report.steps.map(\.destinationVersion) == ["Notes 2 + Places 2", "Notes 3 + Places 2"])
    #expect(try text("SELECT ZTEXT FROM ZNOTE") == [[.integer(1)]])
  }

  // MARK: Mapping models of a part

  private func map(_ source: String, _ destination: String, _ attributes: String) throws {
    try folder.write(
      "{name: \"\(source)\", source: \"\(source)\", destination: \"\(destination)\", entityMappings: [{name: \"n\", "
        + "source: \"Note\", destination: \"Note\", attributes: {\(attributes)}}]}",
      to: "models/App/\(source).mapping.json5")
  }

  @Test("a path with a mapping model of one part is refused, and the advice offers targets that can be reached")
  func mappingModelOfAPart() throws {
    try merged()
    try map("Notes 1", "Notes 2", "body: \"$source.text\"")
    let failure = try failure()
    #expect(failure.reason == .mergedMappingModel && failure.disposition == .refuse, "\(failure)")
    #expect(failure.message.contains("Notes 1.mapping.json5"), "\(failure)")
    #expect(
      failure.advice
        == "Without a mapping model the store can be migrated to “Notes 1 + Places 2”: name it with --to.",
      "\(failure)")
    #expect(try Migration.plan(job(to: "Notes 1 + Places 2")).steps.count == 1)
    #expect(try self.failure(to: "Notes 2 + Places 1").reason == .mergedMappingModel)
  }

  @Test("the advice offers no target if every other version needs the mapping model")
  func mappingModelInEveryWay() throws {
    try merged()
    try map("Notes 1", "Notes 2", "body: \"$source.text\"")
    try folder.write("{target: \"Notes 2 + Places 1\"}", to: "models/App/family.json5")
    let failure = try failure()
    #expect(failure.reason == .mergedMappingModel, "\(failure)")
    #expect(!failure.advice.contains("“Notes 2”") && !failure.advice.contains("“Places 2”"), "\(failure)")
  }
}
