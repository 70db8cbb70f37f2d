internal import DecantCatalogue
internal import DecantConsole
internal import DecantMigration
internal import FileNames
internal import Foundation

/// The models in a new worker's package: a copy of a catalogue, checked.
struct WorkerModels {
  /// A version whose stores are to be migrated.
  struct OldVersion: Hashable {
    let family: String
    let name: String
    /// The path of the version's model below the copy.
    let model: String
    /// The name of the version to which the stores are migrated.
    let target: String
    /// The path of the target's model below the copy.
    let targetModel: String
  }

  let families: [Family]
  let code: WorkerCode
  let classes: ClassPlan
  let oldVersions: [OldVersion]
  /// The path of the copy.
  private let folder: String

  /// Reads and checks a catalogue.
  ///
  /// A missing class isn't an error, because the worker will have it.
  ///
  /// - Parameters:
  ///   - folder: The copy in the package.
  ///   - named: The catalogue's name in messages.
  init(at folder: URL, named: String) throws(CommandFailure) {
    self.folder = folder.path
    let catalogue: Catalogue
    let report: CatalogueReport
    do throws(CatalogueError) {
      catalogue = try Catalogue.read(at: folder)
      let policies = try CatalogueCheck.report(at: folder, classes: { _ in .noWorker }).families.flatMap(
        \.policies)
      func names(_ kind: FamilyReport.Policy.Kind) -> [String] {
        policies.filter { $0.kind == kind }.map(\.name)
      }
      let classes = RegisteredClasses.names(
        policies: names(.className), functions: names(.functions), worker: "the new worker")
      report = try CatalogueCheck.report(at: folder, classes: { _ in classes })
    } catch {
      throw CommandFailure(.catalogueUnreadable, "\(error)".replacing(folder.path, with: named))
    }
    let errors = report.families.flatMap { family in
      family.findings.filter { $0.severity == .error }.map { finding in
        let place = [finding.file, finding.line.map { "line \($0)" }].compactMap(\.self).joined(separator: ", ")
        return "\(place.isEmpty ? family.name : place): \(finding.message)".replacing(folder.path, with: named)
      }
    }
    guard errors.isEmpty else {
      throw CommandFailure(
        .brokenFamily, "\(named) has faults, so no worker is written:", details: errors,
        advice: "“decant check” shows them with all notes.")
    }
    families = catalogue.families
    code = try WorkerCode(families)
    classes = ClassPlan(families.flatMap { family in family.versions.map { ($0.name, $0.model) } })
    oldVersions = Self.oldVersions(report, below: folder.path)
    guard !oldVersions.isEmpty else {
      throw CommandFailure(
        .badData, "\(named) has no old version with a way to its target, so there is nothing to migrate.",
        advice: "Name a catalogue, or a bundle with all versions of a model.")
    }
  }

  var classNames: Set<String> {
    Set(code.policies.map(\.name) + code.functions.map(\.name) + classes.classes.map(\.name))
  }

  func model(of version: FamilyVersion) -> String { Self.below(folder, version.path) }

  private static func oldVersions(_ report: CatalogueReport, below folder: String) -> [OldVersion] {
    report.families.flatMap { family in
      family.versions.compactMap { version in
        guard version.reach == .reached, let model = version.paths.first,
          let target = family.versions.first(where: { $0.name == version.target }), let end = target.paths.first
        else { return nil }
        return OldVersion(
          family: family.name, name: version.name, model: below(folder, model), target: target.name,
          targetModel: below(folder, end))
      }
    }
  }

  private static func below(_ folder: String, _ path: String) -> String {
    path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
  }
}
