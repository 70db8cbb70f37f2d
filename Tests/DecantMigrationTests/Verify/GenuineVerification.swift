import DecantCatalogue
import DecantStore
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantVerification

/// Migrates a genuine store and compares the result with its source.
struct GenuineVerification {
  let genuine: GenuineStore
  let family: Family

  init(_ genuine: GenuineStore, family: Family) {
    self.genuine = genuine
    self.family = family
  }

  /// Migrates to the version with that name and compares.
  ///
  /// The family's own folder is the catalogue.
  func verify(to version: String) throws {
    let scratch = genuine.folder.path(UUID().uuidString)
    let metadata = try SourceStore(genuine.source.path, scratch: scratch, checksPages: false).metadata
    guard let source = family.version(with: metadata.versionHashes ?? [:]) else {
      return try verifyOwnModel(to: version)
    }
    try verify(from: source, to: try #require(family.version(named: version)), in: family)
  }

  /// Migrates and compares with a catalogue of only the two versions, for a family whose reading takes longer than the
  /// migration.
  func verify(from source: FamilyVersion, to target: FamilyVersion) throws {
    let folder = genuine.folder.url.appendingPathComponent("\(UUID().uuidString)/\(family.name)")
    let bundle = folder.appendingPathComponent("Model.xcdatamodeld")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    for version in [source, target] {
      let path = URL(fileURLWithPath: version.path)
      try FileManager.default.createSymbolicLink(
        at: bundle.appendingPathComponent(path.lastPathComponent), withDestinationURL: path)
    }
    let few = try FamilyReader(name: family.name, folder: folder).read()
    #expect(few.versions.count == 2)
    try verify(
      from: try #require(few.version(with: source.hashes)), to: try #require(few.version(with: target.hashes)),
      in: few)
  }

  /// Migrates and compares a store whose version isn't in the family.
  private func verifyOwnModel(to version: String) throws {
    let migration = try Migration.run(genuine.job(to: version))
    #expect(migration.result == .migrated && migration.sourceOrigin == "own-model", "\(version)")
    let report = try Verification.run(
      source: genuine.source, destination: genuine.output, catalogue: family.folder, target: version,
      scratch: genuine.folder.url.appendingPathComponent(UUID().uuidString))
    #expect(report.isEqual, "\(genuine.store) to \(version): \(report)")
  }

  private func verify(from source: FamilyVersion, to target: FamilyVersion, in family: Family) throws {
    var job = genuine.job(to: target.name)
    job.catalogue = family.folder
    let place = genuine.folder.url.appendingPathComponent(UUID().uuidString)
    job.output = place.appendingPathComponent(genuine.store.store)
    job.workFolder = place.appendingPathComponent("work")
    let migration = try Migration.run(job)
    #expect(migration.result == .migrated && migration.sourceVersion == source.name, "\(target.name)")
    let steps = try PathPlan.make(from: source, to: target, in: family).steps.map { step in
      guard case .inferred(let mapping) = step.work else { throw Unexpected.mappingModel }
      return Verification.Step(mapping: mapping.mappingModel, model: step.destination.model)
    }
    #expect(steps.count == migration.steps.count)
    let report = try Verification.run(
      source: job.source, destination: job.output, sourceModel: source.model, steps: steps,
      scratch: place.appendingPathComponent("scratch"))
    #expect(report.isEqual, "\(genuine.store) to \(target.name): \(report)")
    let rows = report.entities.reduce(0) { $0 + $1.sourceRows }
    #expect(rows == genuine.store.rows.values.reduce(0, +) - Self.gone(report), "\(target.name)")
    try FileManager.default.removeItem(at: place)
  }

  private enum Unexpected: Error { case mappingModel }

  /// The number of objects of entities that the destination doesn't have.
  static func gone(_ report: Verification.Report) -> Int {
    report.expected.filter { $0.kind == .entityGone }.reduce(0) { $0 + $1.count }
  }
}
