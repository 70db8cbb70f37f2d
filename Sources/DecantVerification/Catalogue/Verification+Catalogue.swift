internal import DecantCatalogue
internal import DecantEngine
internal import DecantMigration
package import DecantPolicies
package import DecantReport
package import Foundation

extension Verification {
  /// Compares two stores whose versions and path are in a catalogue.
  ///
  /// - Parameters:
  ///   - catalogue: The folder with one folder for each family, the folder of one family, or a model bundle.
  ///   - family: The only family to use; `nil` for all families.
  ///   - target: The expected version of the destination; `nil` for the version with the destination's version hashes,
  ///     else for the family's target.
  ///   - associations: The file of kept associations, which mapping models need; `nil` for the file beside the
  ///     destination.
  ///   - policies: The classes with functions for expressions; expressions that call other code aren't checked.
  ///   - scratch: A folder for private copies and expected stores.
  ///   - progress: Called before each part, on the caller's thread.
  /// - Throws: `MigrationFailure`, for example if a file isn't a store, a version is unknown, no path leads from the
  ///   source's version to the destination's, or the path runs a mapping model and no associations exist.
  package static func run(
    source: URL, destination: URL, catalogue: URL, family: String? = nil, target: String? = nil,
    associations: URL? = nil, policies: PolicyRegistry = PolicyRegistry(), scratch: URL,
    progress: (Progress) -> Void = { _ in }
  ) throws(MigrationFailure) -> Report {
    if let unchanged = try UnchangedXMLStore(
      source: source, destination: destination, catalogue: catalogue, family: family, target: target,
      scratch: scratch
    ) {
      return try unchanged.report()
    }
    let pair = try CataloguePair(
      source: source, destination: destination, catalogue: catalogue, family: family, target: target,
      scratch: scratch)
    let way = try pair.way()
    let place = associations ?? KeptAssociations.place(beside: destination)
    let isThere = associations != nil || FileManager.default.fileExists(atPath: place.path)
    if let model = way.firstMappingModel, !isThere {
      throw MigrationFailure(
        .needsAssociations,
        message:
          "The path from “\(pair.source.name)” to “\(pair.destination.name)” leads through the mapping model "
          + "\(model). Neither store says which source object became which destination object.",
        advice:
          "Migrate with --keep-associations, or in the daemon with “keepAssociations: true” in family.json5. Then "
          + "name the associations file with --associations.",
        family: pair.family.name)
    }
    do {
      let strays = try StrayComparison(
        source: source, destination: destination, pair: pair, isUnchangedSource: way.isEmpty, scratch: scratch)
      let whole = (source: source, destination: destination)
      let (source, destination) =
        if let strays { (strays.source, strays.destination) } else { (source, destination) }
      let external = StorePair.Files(
        source: ExternalData(store: whole.source), destination: ExternalData(store: whole.destination))
      let usesFile = associations != nil || way.firstMappingModel != nil
      var report: Report
      if usesFile, !way.isEmpty {
        let file = try AssociationFile(place.path)
        report =
          try withoutActuallyEscaping(progress) { progress in
            try MappedVerification(
              pair: pair, way: way, file: file, source: source, destination: destination,
              external: external, scratch: scratch, policies: policies, progress: progress
            ).run()
          }
      } else {
        let files = QuarantineFiles(output: whole.destination, step: way.count, of: way.count)
        report = try run(
          source: source, destination: destination, files: external, sourceModel: pair.source.model,
          steps: way.compactMap(\.verified), quarantine: way.isEmpty ? nil : files, scratch: scratch,
          progress: progress)
        report.noteMissing(files, mode: pair.family.configuration.validation?.mode)
      }
      try strays?.complete(&report)
      (report.source, report.destination) = (whole.source.path, whole.destination.path)
      report.way = Way(pair, way, associations: usesFile && !way.isEmpty ? place.path : nil)
      return report
    } catch let error as AssociationFile.Failure {
      throw MigrationFailure(
        .foreignAssociations, message: error.description,
        advice: "Name the file that “decant migrate --keep-associations” wrote beside its output.",
        family: pair.family.name)
    } catch {
      throw MigrationFailure(running: error, family: pair.family.name)
    }
  }
}

extension [PathPlan.Step] {
  /// The file of the first mapping model on the path.
  fileprivate var firstMappingModel: String? {
    for step in self {
      if case .mappingModels(let files) = step.work { return files.first?.file.path }
    }
    return nil
  }
}
