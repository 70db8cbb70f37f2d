internal import DecantCatalogue
internal import DecantMigration
internal import DecantReport
internal import DecantStore
internal import DecantXMLStore
internal import Foundation

/// The versions of two stores in a catalogue, and the path between them.
struct CataloguePair {
  let family: Family
  let source: FamilyVersion
  let destination: FamilyVersion
  private let preparation: JobPreparation

  /// A destination of unknown version is compared with the target, so that its hashes are reported as a difference.
  init(
    source: URL, destination: URL, catalogue: URL, family: String?, target: String?, scratch: URL
  ) throws(MigrationFailure) {
    var preparation = JobPreparation(
      job: MigrationJob(
        source: source, output: destination, workFolder: scratch, catalogue: catalogue, family: family,
        target: target))
    let read = try preparation.readCatalogue()
    var known = try preparation.recognise(try Self.openSource(source, scratch), in: read)
    let after = try Self.open(destination, scratch, "destination").metadata.versionHashes ?? [:]
    if target == nil, let version = known.0.version(with: after) {
      self.destination = version
    } else {
      if target == nil, case .merge = known.1.origin,
        case .known(_, let version) = read.recognise(after, family: known.0.name), case .merge = version.origin
      {
        preparation.job.target = version.name
      }
      self.destination = try preparation.target(for: known.1, in: &known.0)
    }
    (self.family, self.source) = known
    self.preparation = preparation
  }

  private static func open(_ store: URL, _ scratch: URL, _ name: String) throws(MigrationFailure) -> SourceStore
  {
    do {
      return try SourceStore(
        store.path, scratch: scratch.appendingPathComponent(name).path, checksPages: false)
    } catch {
      throw MigrationFailure(error)
    }
  }

  /// The source, which may be an XML store.
  private static func openSource(_ store: URL, _ scratch: URL) throws(MigrationFailure) -> SourceStore {
    do {
      return try SourceStore.open(
        store.path, scratch: scratch.appendingPathComponent("source").path, checksPages: false)
    } catch {
      throw MigrationFailure(error)
    }
  }

  /// The steps from the source's version to the destination's; empty if both stores have the same version.
  func way() throws(MigrationFailure) -> [PathPlan.Step] {
    guard source.index != destination.index else { return [] }
    return try preparation.path(from: source, to: destination, in: family).steps
  }
}
