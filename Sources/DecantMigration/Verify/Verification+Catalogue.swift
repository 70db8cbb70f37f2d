public import Foundation

extension Verification {
  /// Compares two stores whose versions and way a catalogue knows.
  ///
  /// - Parameters:
  ///   - catalogue: The folder that holds one folder a family.
  ///   - family: Only this family is looked at; `nil` for all.
  ///   - target: The version that the destination should have; `nil` for the one that it says it has.
  ///   - scratch: A folder for private copies, made when one is needed.
  ///   - progress: Called before each part, on the caller's thread.
  /// - Throws: `MigrationFailure` where a file is no store, a version is unknown, there is no way between the two, or
  ///   the way runs a mapping model.
  public static func run(
    source: URL, destination: URL, catalogue: URL, family: String? = nil, target: String? = nil, scratch: URL,
    progress: (Progress) -> Void = { _ in }
  ) throws(MigrationFailure) -> Report {
    if let handedOn = try HandedOnStore(
      source: source, destination: destination, catalogue: catalogue, family: family, target: target,
      scratch: scratch
    ) {
      return try handedOn.report()
    }
    let pair = try CataloguePair(
      source: source, destination: destination, catalogue: catalogue, family: family, target: target,
      scratch: scratch)
    do {
      return try run(
        source: source, destination: destination, sourceModel: pair.source.model, steps: try pair.steps(),
        scratch: scratch, progress: progress)
    } catch {
      throw MigrationFailure(running: error, family: pair.family.name)
    }
  }
}
