internal import DecantAuthoring
internal import DecantCatalogue
internal import DecantConsole
internal import DecantMigration
internal import DecantModel
internal import DecantReport
internal import FileNames
internal import Foundation

/// The words of the command line from which `decant explain` makes the next commands.
struct ExplainQuestion {
  let store: String
  let models: String
  let target: String?
  let family: String?
  let worker: String?

  init(_ arguments: Arguments) {
    store = arguments[0]
    models = arguments.value("models") ?? ""
    target = arguments.value("to")
    family = arguments.value("family")
    worker = arguments.value("worker")
  }

  private var choice: [String] {
    ["--models", models] + (target.map { ["--to", $0] } ?? []) + (family.map { ["--family", $0] } ?? [])
  }

  func command(_ name: String, _ more: [String] = []) -> String {
    ShellQuoting.line(["decant", name, store] + choice + more + (worker.map { ["--worker", $0] } ?? []))
  }

  /// The path of an output beside the store, such as `Notes-new.sqlite` for `Notes.sqlite`.
  private var output: String {
    let ending =
      PathText.name(of: store).text.split(separator: ".").count > 1 ? store.split(separator: ".").last : nil
    guard let ending, !ending.contains("/") else { return "\(store)-new.sqlite" }
    return "\(store.dropLast(ending.count + 1))-new.sqlite"
  }

  /// - Parameter family: The store's family; `nil` if it can't be read.
  func next(after plan: MigrationPlan, family: Family?) -> [StoreExplanation.NextStep] {
    guard !plan.steps.isEmpty else {
      return [.init(sentence: "Nothing: the store has the target version already.")]
    }
    var next: [StoreExplanation.NextStep] = []
    let needsWorker =
      worker == nil && family?.configuration.worker == nil
      && plan.steps.contains { $0.entityMappings.contains { $0.needsWorker == true } }
    let package = WorkerName(folder: "\(plan.family)-worker").package
    if needsWorker {
      next += [
        .init(
          sentence: "Write a worker with the policies, or name yours with --worker:",
          line: ShellQuoting.line(["decant", "worker", "new", package, "--models", models])),
        .init(
          sentence: "Complete its policies and its tests, then:", line: "swift test --package-path \(package)"),
      ]
    }
    if plan.losses.contains(where: { $0.values > 0 && !$0.accepted && $0.probableRename != nil }) {
      next.append(.init(sentence: "If a loss is a rename, state it in “renames” of family.json5."))
    }
    if let family, let line = newMapping(for: plan, in: family) {
      next.append(.init(sentence: "If a loss isn't intended, write a mapping model that keeps it:", line: line))
    }
    // Without the associations, the result of a mapping model can't be compared.
    let more =
      (plan.steps.contains { !$0.isInferred } ? ["--keep-associations"] : [])
      + (needsWorker ? ["--worker", "\(package)/.build/debug/\(package)"] : [])
    next.append(.init(sentence: "Migrate:", line: command("migrate", ["--output", output] + more)))
    next.append(
      .init(
        sentence: "Compare the result with the store:",
        line: ShellQuoting.line(["decant", "verify", store, output] + choice)))
    return next
  }

  /// The command that writes a mapping model for the first inferred step.
  ///
  /// If a version has all that is lost, the mapping model is for this version, so that stores of earlier versions keep
  /// the values, too.
  private func newMapping(for plan: MigrationPlan, in family: Family) -> String? {
    let lost = plan.losses.filter { $0.values > 0 && !$0.accepted && $0.cause == .noPlace }
    guard !lost.isEmpty, let step = plan.steps.first(where: \.isInferred),
      let source = family.version(named: step.source),
      let destination = family.version(named: step.destination)
    else { return nil }
    func shared(_ version: FamilyVersion) -> Int {
      destination.hashes.count { version.hashes[$0.key] == $0.value }
    }
    // The order of a family's versions is only for display, so count the equal entities.
    let nearest = family.versions.reversed().filter { version in
      version.hashes != destination.hashes && lost.allSatisfy { Self.has($0, version.model) }
    }.max { shared($0) < shared($1) }
    return newMapping(from: nearest ?? source, to: destination, in: family)
  }

  private static func has(_ loss: MigrationReport.Loss, _ model: ManagedObjectModel) -> Bool {
    guard let property = loss.property else { return model.entity(named: loss.entity) != nil }
    return model.attribute(property, of: loss.entity) != nil
      || model.relationship(property, of: loss.entity) != nil
  }

  func newMapping(from source: FamilyVersion, to destination: FamilyVersion, in family: Family) -> String {
    NewMapping.command(
      argument(source), argument(destination),
      output: asAsked("\(family.folder.path)/\(destination.name)\(NewMapping.ending)"))
  }

  /// The path; if it is below the catalogue, it begins as the user named the catalogue.
  private func asAsked(_ path: String) -> String {
    let whole = URL(fileURLWithPath: models).path
    guard path.hasPrefix(whole + "/") else { return path }
    return models + (models.hasSuffix("/") ? "" : "/") + path.dropFirst(whole.count + 1)
  }

  /// For a version in a bundle, the argument is `BUNDLE#VERSION`, so that the renaming identifiers of all versions are
  /// read.
  private func argument(_ version: FamilyVersion) -> String {
    let url = URL(fileURLWithPath: version.path)
    let bundle = url.deletingLastPathComponent()
    guard ["xcdatamodeld", "momd"].contains(bundle.pathExtension) else { return asAsked(version.path) }
    return "\(asAsked(bundle.path))#\(url.deletingPathExtension().lastPathComponent)"
  }
}

extension MigrationPlan.Step {
  var isInferred: Bool { passes.isEmpty || way != nil }
}
