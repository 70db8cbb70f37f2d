import DecantModel
import DecantPolicies
import DecantStore
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@testable import DecantMigration
@testable import DecantReport
@testable import DecantVerification

/// A catalogue of one family, a source store, and the migrations of a test.
struct Workshop {
  let folder: TemporaryFolder
  let models: [(name: String, model: ManagedObjectModel)]
  /// The policies that entity mappings can name.
  var policies = PolicyRegistry()

  /// Writes the versions `V1`, `V2`, … of the family “Notes”, the last one current, and its `family.json5`.
  init(_ texts: String..., family: String? = nil) throws {
    try self.init(texts, family: family)
  }

  init(_ texts: [String], family: String? = nil, in folder: TemporaryFolder? = nil) throws {
    let folder = try folder ?? TemporaryFolder("decant-engine")
    self.folder = folder
    let bundle = "models/Notes/Notes.xcdatamodeld"
    var models: [(name: String, model: ManagedObjectModel)] = []
    for (index, text) in texts.enumerated() {
      let name = "V\(index + 1)"
      let file = try folder.write(ModelText(text).contents, to: "\(bundle)/\(name).xcdatamodel/contents")
      models.append((name, try ModelBundle.read(at: file.deletingLastPathComponent()).currentVersion().model))
    }
    self.models = models
    try folder.write(
      "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>V\(texts.count).xcdatamodel</string>"
        + "</dict></plist>", to: "\(bundle)/.xccurrentversion")
    if let family { try folder.write(family, to: "models/Notes/family.json5") }
  }

  static let uuid = "0B6E7A52-3F5C-4B0D-9B34-0F1D2A3B4C5D"
  var source: URL { folder.url.appendingPathComponent("in/Store.sqlite") }
  var output: URL { folder.url.appendingPathComponent("out/Store.sqlite") }
  var work: URL { folder.url.appendingPathComponent("out/work") }
  var catalogue: URL { folder.url.appendingPathComponent("models") }

  func model(_ version: String) throws -> ManagedObjectModel {
    try #require(models.first { $0.name == version }).model
  }

  /// Makes the source store: an empty store of a version, which plain SQL then fills.
  ///
  /// - Parameters:
  ///   - marks: The values of `Z_MAX`, by entity.
  ///   - finally: Statements that are executed after the store is complete.
  @discardableResult
  func makeStore(
    of version: String = "V1", framework: Int = 1344, usesWriteAheadLog: Bool = true,
    marks: [String: Int] = [:],
    finally: String = "", _ sql: String
  ) throws -> URL {
    try FileManager.default.createDirectory(
      at: source.deletingLastPathComponent(), withIntermediateDirectories: true)
    try? FileManager.default.removeItem(at: source)
    let layout = try StoreLayout(try model(version), framework: FrameworkVersion(framework))
    let metadata = StoreMetadata(
      uuid: Self.uuid,
      entries: [
        "MyKey": .string("kept"), "MyList": .array([.integer(7), .boolean(true)]),
        "_NSAutoVacuumLevel": .string("2"),
      ]
    ).updated(for: layout.model, framework: layout.framework)
    do {
      let store = try DestinationStore(at: source.path, layout: layout)
      try store.database.execute(sql)
      for statement in try store.missingIndexes() { try store.database.execute(statement) }
      try store.finish(metadata: metadata, maxima: marks, usesWriteAheadLog: usesWriteAheadLog)
      if !finally.isEmpty { try store.database.execute(finally) }
    }
    return source
  }

  func job(to target: String? = nil, rewrite: Bool = false, chunkSize: Int? = nil) -> MigrationJob {
    var job = MigrationJob(
      source: source, output: output, workFolder: work, catalogue: catalogue, target: target, rewrite: rewrite,
      chunkSize: chunkSize, keepsAssociations: hasMappingModels, policies: policies)
    // With no patience, each step can be continued, however fast this machine is.
    job.patience = .zero
    return job
  }

  /// Whether the family has mapping models, so that a comparison needs the associations.
  private var hasMappingModels: Bool {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: catalogue.appendingPathComponent("Notes").path)
    return names?.contains { $0.hasSuffix(".mapping.json5") } ?? false
  }

  /// Migrates and checks the conditions for every migration.
  ///
  /// With mapping models it also migrates row by row and compares both results.
  @discardableResult
  func migrate(to target: String? = nil, rewrite: Bool = false, chunkSize: Int? = nil) throws -> Migrated {
    let before = try FolderPicture(source.deletingLastPathComponent())
    let report = try Migration.run(job(to: target, rewrite: rewrite, chunkSize: chunkSize))
    #expect(try FolderPicture(source.deletingLastPathComponent()) == before, "the source folder changed")
    #expect(!FileManager.default.fileExists(atPath: work.path), "the work folder is still there")
    let result = try finished(report)
    if hasMappingModels { try checkRows(result, to: target, chunkSize: chunkSize) }
    return result
  }

  /// The result of a successful run, after all checks of it.
  func finished(_ report: MigrationReport) throws -> Migrated {
    let result = Migrated(
      report: report, source: try read(source, report.sourceVersion),
      store: try read(output, report.targetVersion))
    try StoreInvariants(source: result.source, result: result.store, output: output).check()
    checkAccounts(result)
    if report.result == .migrated {
      let verification = try verify(target: report.targetVersion)
      #expect(verification.isEqual, "\(verification)")
    }
    return result
  }

  /// Checks that the numbers add up to all source objects, and that the result has the number of objects made.
  private func checkAccounts(_ result: Migrated) {
    for rows in result.report.steps.flatMap(\.entities) {
      let parts = [
        rows.made, rows.shared, rows.withoutValue, rows.filtered, rows.refused, rows.leftOut, rows.further,
      ]
      #expect(parts.allSatisfy { $0 >= 0 }, "\(rows)")
      #expect(parts.dropLast().reduce(0, +) == rows.source, "\(rows)")
    }
    // An object that a policy made may be associated under several entity mappings.
    guard let step = result.report.steps.last, policies.policyNames.isEmpty, step.inserted.isEmpty else {
      return
    }
    #expect(step.entities.sum().made == result.store.objects.count, "\(step.entities)")
  }

  /// Migrates row by row and checks that the result is the same.
  private func checkRows(_ result: Migrated, to target: String?, chunkSize: Int?) throws {
    var job = job(to: target, chunkSize: chunkSize)
    job.output = folder.url.appendingPathComponent("rows-\(UUID().uuidString)/Store.sqlite")
    job.workFolder = job.output.deletingLastPathComponent().appendingPathComponent("work")
    job.goesByRows = true
    let report = try Migration.run(job)
    let store = try read(job.output, report.targetVersion)
    #expect(store.lines == result.lines, "row by row something else comes out")
    #expect(report.steps.map(\.entities) == result.report.steps.map(\.entities))
    try StoreInvariants(source: result.source, result: store, output: job.output).check()
    let verification = try verify(job.output, target: report.targetVersion)
    #expect(verification.isEqual, "row by row: \(verification)")
  }

  /// The report of a comparison of source and output.
  func verify(_ destination: URL? = nil, target: String? = nil) throws -> Verification.Report {
    try Verification.run(
      source: source, destination: destination ?? output, catalogue: catalogue, target: target,
      policies: policies,
      scratch: folder.url.appendingPathComponent("verify-\(UUID().uuidString)"))
  }

  func read(_ url: URL, _ version: String) throws -> LogicalStore {
    try LogicalStore(url, model: try model(version), scratch: folder.path("reading-\(UUID().uuidString)"))
  }

  /// The failure of a refused job.
  ///
  /// Checks that there is no output and that the source folder is unchanged.
  func failure(
    to target: String? = nil, rewrite: Bool = false, chunkSize: Int? = nil
  ) throws -> MigrationFailure {
    let before = try FolderPicture(source.deletingLastPathComponent())
    let failure = #expect(throws: MigrationFailure.self) {
      try Migration.run(job(to: target, rewrite: rewrite, chunkSize: chunkSize))
    }
    #expect(try FolderPicture(source.deletingLastPathComponent()) == before, "the source folder changed")
    #expect(!FileManager.default.fileExists(atPath: output.path), "there is an output")
    return try #require(failure)
  }
}

/// The result of a migration.
struct Migrated {
  let report: MigrationReport
  let source: LogicalStore
  let store: LogicalStore

  var lines: [String] { store.lines }

  /// The losses as `attribute Note.text 3 → body?`.
  var losses: [String] { report.losses.map(Self.words) }

  static func words(_ loss: MigrationReport.Loss) -> String {
    "\(loss.kind) \(loss.entity)\(loss.property.map { "." + $0 } ?? "") \(loss.values)"
      + (loss.probableRename.map { " → \($0)?" } ?? "")
  }

  /// The entity mappings of the last step with the migrated rows, as `NoteToNote 3`.
  var rows: [String] { report.steps.last?.entities.map { "\($0.entityMapping) \($0.migrated)" } ?? [] }
}

/// Names and bytes of all files in a folder.
struct FolderPicture: Equatable {
  let files: [String: Data]

  init(_ folder: URL) throws {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      files[name] = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path) ?? Data()
    }
    self.files = files
  }
}
