package import DecantCatalogue
internal import DecantMapping
internal import DecantModel
package import DecantReport
internal import DecantStore
internal import Foundation

/// Opens a store, recognises its version, plans its path, and checks as much as possible before a row is written.
package struct JobPreparation {
  package var job: MigrationJob
  /// Asked about once a second while the store is checked or read; false ends the job.
  var observer: (@Sendable () -> Bool)?
  /// Whether the plan says how many rows filters leave out; each count needs a scan.
  var countsFiltered = false
  /// Whether the job is only planned, and the plan is shown to a user.
  var isForReading = false
  /// Where the policies and functions are looked for.
  var code = PlannedCode.ofTheJob

  var name: String { job.storeName }

  package init(job: MigrationJob) { self.job = job }

  init(
    job: MigrationJob, observer: (@Sendable () -> Bool)? = nil, countsFiltered: Bool = false,
    isForReading: Bool = false, code: PlannedCode = .ofTheJob
  ) {
    self.job = job
    self.observer = observer
    self.countsFiltered = countsFiltered
    self.isForReading = isForReading
    self.code = code
  }

  /// Prepares the job.
  ///
  /// Unless the job is only planned, the checks of a large store may still run when this returns.
  /// `SourceStore.finishChecks(while:)` waits for them.
  func prepare() throws(MigrationFailure) -> PreparedJob {
    let catalogue = job.direct == nil ? try readCatalogue() : nil
    let opened = try openStore()
    do throws(MigrationFailure) {
      return try prepare(opened, catalogue)
    } catch {
      defer { opened.endChecks() }
      // A damaged store may cause any other error. So its damage is reported in place of that error.
      do { try opened.finishChecks { observer?() ?? true } } catch { throw MigrationFailure(error) }
      throw error
    }
  }

  private func prepare(
    _ opened: SourceStore, _ catalogue: Catalogue?
  ) throws(MigrationFailure) -> PreparedJob {
    var (family, source) = try recognised(opened, in: catalogue)
    let whole = try filled(opened, as: source, family: family)
    let question = question(whole, source, in: family)
    let sourceLayout = try layout(of: whole, version: source, family: family, question)
    let strayRows = try strayRows(in: whole, sourceLayout, family)
    let direct = try job.direct?.path(for: opened, in: family)
    let target =
      if let direct { direct.destination } else { try rememberedTarget(for: source, in: &family, question) }
    let route =
      if let direct { direct } else { try rememberedPath(from: source, to: target, in: family, question) }
    let references = ReferenceStores(family: family, workFolder: job.workFolder)
    let settling = LayoutSettling(
      family: family, store: whole, source: source, sourceLayout: sourceLayout, references: references)
    let known = question.map {
      FamilyQuestion.Steps(path: pathQuestion(from: source, to: target), store: $0)
    }
    let classes = try classes(for: family)
    let path = try planned(route, settling, classes, known)
    let code = try codeFindings(for: path.steps, in: family, classes)
    if !path.steps.isEmpty { try settling.checkSource() }
    let strays = try strayRows.flatMap { rows throws(MigrationFailure) in
      path.steps.isEmpty ? nil : try putAside(rows, of: whole, settling)
    }
    let questions = JobQuestions(
      preparation: self, family: family, source: source, target: target, store: strays?.rest ?? whole,
      sourceLayout: sourceLayout, path: path)
    let losses = try questions.losses()
    try questions.checkUniqueness()
    try questions.checkChunks()
    var caches = ModelCacheSearch(
      store: questions.store, source: source, references: references, question: known)
    let modelCache = path.steps.last.flatMap {
      caches.content(for: $0.destination, layout: $0.destinationLayout)
    }
    var warnings = questions.store.alarms + (strays?.sentences ?? strayRows?.remainingSentences ?? [])
    warnings += family.warnings + route.warnings + code.warnings + caches.warnings
    warnings += path.steps.last.map { settling.findings($0.destinationLayout, of: $0.destination) } ?? []
    warnings += code.missing.filter { !warnings.contains($0) }
    warnings += try questions.warnings()
    if whole.kind == .xml { warnings.insert(kindWarning(path.steps.isEmpty), at: 0) }
    let storeNotes = isForReading ? questions.store.planNotes : questions.store.notes
    var notes = try family.notes + storeNotes + caches.notes + questions.notes()
    let history = try questions.history()
    if let finding = history?.finding {
      if history?.isKept == true { notes.append(finding) } else { warnings.append(finding) }
    }
    let ways = try questions.ways()
    let steps = isForReading ? try questions.plannedSteps(ways) : []
    let plan = MigrationPlan(
      store: name, storeType: whole.kind.name, family: family.name, sourceVersion: source.name,
      sourceVersionNames: source.names, sourceOrigin: source.origin.word, nearestVersion: source.origin.nearest,
      targetVersion: target.name, steps: steps, strayRows: strayRows?.report(nil),
      losses: losses, warnings: warnings, missingCode: code.missing, notes: notes,
      rows: isForReading ? try questions.counts.total() : 0,
      diskBytes: try questions.diskNeed(
        steps.first, putAside: strays?.bytes ?? 0, beginsAsCopy: ways.first??.alteration != nil),
      uncounted: isForReading ? LateLosses.uncounted(path.steps) : [])
    return PreparedJob(
      job: job, family: family, store: questions.store, sourceLayout: sourceLayout, source: source,
      target: target, path: path, modelCache: modelCache, history: history, strays: strays, plan: plan,
      ways: ways)
  }

  private func recognised(
    _ store: SourceStore, in catalogue: Catalogue?
  ) throws(MigrationFailure) -> (Family, FamilyVersion) {
    if let direct = job.direct {
      let family = direct.family()
      return (family, try direct.path(for: store, in: family).source)
    }
    let (family, version) = try recognise(store, in: try read(catalogue))
    try checkRunner(family)
    return (family, version)
  }

  private func kindWarning(_ isCurrent: Bool) -> String {
    isCurrent
      ? "\(name) is an XML store. It has the target version already and stays an XML store\(wishes.rewriting)."
      : "\(name) is an XML store, and the new store is an SQLite store: the application has to open it as "
        + "NSSQLiteStoreType."
  }

  package func path(
    from source: FamilyVersion, to target: FamilyVersion, in family: Family
  ) throws(MigrationFailure) -> PathPlan {
    // A store that is rewritten in its own version takes one step, from this version to itself.
    if job.rewrite, source.index == target.index { return try identity(source) }
    let path: PathPlan
    do {
      path = try PathPlan.make(from: source, to: target, in: family, joiningSteps: job.joinsSteps)
    } catch {
      var failure = error.failure(family: family.name)
      switch error {
      case .mergedMappingModels: failure.advice = advice(withoutMappingModelsOfParts: source, in: family)
      case .notMergeable:
        failure.advice =
          "Choose versions whose models agree. Name them as “target” in family.json5, or \(wishes.version)."
      default: break
      }
      throw failure
    }
    return path
  }

  private func identity(_ version: FamilyVersion) throws(MigrationFailure) -> PathPlan {
    do {
      let mapping = try InferredMapping.make(from: version.model, to: version.model)
      return PathPlan(
        source: version, destination: version,
        steps: [.init(source: version, destination: version, work: .inferred(mapping))], warnings: [])
    } catch {
      throw MigrationFailure(
        .notInferable, message: "\(error).")
    }
  }
}
