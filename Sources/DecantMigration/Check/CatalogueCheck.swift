public import DecantCatalogue
public import Foundation

/// Checks a catalogue without a store, before the catalogue ships.
public enum CatalogueCheck {
  /// Reads a catalogue and checks each of its families.
  ///
  /// - Parameters:
  ///   - url: The catalogue, one family's folder, or a model bundle.
  ///   - family: Only this family is checked; `nil` for all.
  ///   - classes: Asks the worker that a family names (`nil` for none) for its classes.
  /// - Throws: `CatalogueError` if the catalogue as a whole can't be read. A fault of a family is a finding.
  public static func report(
    at url: URL, family: String? = nil,
    classes: (_ worker: String?) -> RegisteredClasses = { worker in
      worker.map { .unusable("The worker “\($0)” was not asked for its classes.") } ?? .noWorker
    }
  ) throws(CatalogueError) -> CatalogueReport {
    let catalogue = try Catalogue.read(at: url, family: family)
    var report = CatalogueReport(families: catalogue.states.map { self.report($0, classes) })
    SharedVersionCheck(catalogue).fill(&report)
    return report
  }

  private static func report(
    _ state: FamilyState, _ ask: (_ worker: String?) -> RegisteredClasses
  ) -> FamilyReport {
    switch state {
    case .broken(let broken):
      return BrokenFamilyCheck(broken).report(ask)
    case .ready(let family):
      var report = FamilyReport(name: family.name, path: family.place.url.path, isUsable: true)
      for warning in family.warnings { report.add(.warning, warning.hasSuffix(".") ? warning : "\(warning).") }
      for note in family.notes { report.add(.note, note) }
      let stranded = WayCheck(family).fill(&report)
      let classes = ask(family.configuration.worker)
      if case .unusable(let reason) = classes { report.add(unusable: reason, of: family) }
      let mayReadAll = MappingModelsCheck(family, classes: classes, stranded: stranded).fill(&report)
      FamilyFolderCheck(family, mayReadAll: mayReadAll).fill(&report)
      report.sort()
      return report
    }
  }
}
