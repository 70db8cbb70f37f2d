internal import CLinux
internal import DecantCatalogue
internal import DecantEngine
internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantReport
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// Runs the steps of a prepared job and moves the last step's store to the output.
struct JobRun {
  private(set) var prepared: PreparedJob
  let shouldStop: @Sendable () -> Bool
  let progress: @Sendable (MigrationProgress) -> Void
  /// Makes the job's report from the outcomes of its steps and the digest of the finished file, before the file is
  /// delivered.
  ///
  /// This function reads whole files. It often calls `goesOn`, which reports progress about once a second.
  let report: Reporting
  typealias Reporting = (
    [Outcome], _ file: ParallelReading<MigrationReport.File>?, _ goesOn: () -> Bool
  ) throws -> MigrationReport
  /// Sentences for the report about the job as a whole.
  private var warnings: [String] = []
  let beat: Beat
  private let folder: String
  var job: MigrationJob { prepared.job }

  init(
    _ prepared: PreparedJob, shouldStop: @escaping @Sendable () -> Bool,
    progress: @escaping @Sendable (MigrationProgress) -> Void,
    report: @escaping Reporting
  ) {
    self.report = report
    self.prepared = prepared
    folder = prepared.job.workFolder.path
    beat = Beat(seconds: prepared.job.finishBeat)
    self.shouldStop = shouldStop
    self.progress = progress
  }

  /// A step's report, and what the step adds to the job's report.
  struct Outcome: Codable {
    var report: MigrationReport.Step
    var warnings: [String]
    /// Losses that could be counted only when this step began, or while it ran.
    var losses: [MigrationReport.Loss]
    /// The value of `now()`, which the next step uses too.
    var time: Double
  }

  func run() throws -> MigrationReport {
    // The first step's file may have copied indexes of the store. The check of the store's pages doesn't compare
    // indexes with tables. So the copied indexes are compared here.
    guard let copied = prepared.ways.first??.alteration?.entityTables, job.checksPages, !copied.isEmpty else {
      return try run(copying: nil)
    }
    let agreement = try prepared.store.compareIndexes(of: copied)
    do {
      return try run(copying: agreement)
    } catch {
      guard !shouldStop(), job.watch?.failure == nil, (try? finishChecks()) != nil,
        let finding = agreement.finding
      else { throw error }
      var anew = self
      anew.prepared.ways = prepared.ways.map { $0.map { _ in .anew(reason: finding) } }
      anew.warnings = [
        "In the store, \(finding), so the application may have missed objects. The new store has a new index."
      ]
      for index in prepared.steps.indices { forget(index) }
      return try anew.run(copying: nil)
    }
  }

  /// - Parameter agreement: The comparison of the copied indexes with the rows, which runs beside the work. `nil` if no
  ///   indexes are compared.
  private func run(copying agreement: IndexAgreement?) throws -> MigrationReport {
    try FileCopy.makeFolder(job.workFolder.path)
    try checkRoom()
    // Reading a catalogue leaves much freed memory behind, which glibc would keep.
    if job.shelf?.hasNews ?? true { _ = malloc_trim(0) }
    SQLiteTemporaries.put(into: job.workFolder.path)
    defer { SQLiteTemporaries.leave(job.workFolder.path) }
    let digests = StepDigests(self.digests)
    var outcomes = try taken(digests)
    // The partial files of later steps were made from files that will be made again.
    for index in prepared.steps.indices where index > outcomes.count { forget(index) }
    var source = prepared.store
    var digest: ParallelReading<MigrationReport.File>?
    defer { digest?.cancel() }
    for (index, step) in prepared.steps.enumerated() {
      let file = path("step-\(index + 1).sqlite")
      if index >= outcomes.count {
        let time = outcomes.last?.time ?? job.claimedAt.timeIntervalSinceReferenceDate
        let made = try run(step, index: index, source: source, digests: digests, time: time, file: file)
        // The digest is computed while the disk writes.
        if index + 1 == prepared.steps.count { digest = try reading(file + ".partial") }
        try put(made, of: index, digests: digests, file: file)
        outcomes.append(made.outcome)
        if index > 0 { unlink(path("step-\(index).sqlite")) }
      }
      guard index + 1 < prepared.steps.count, index + 1 >= outcomes.count else { continue }
      source = try SourceStore(file, scratch: path("copy-\(index + 1)"), checksPages: false)
    }
    // The checks of a large source may take longer than the steps, so the digest begins before the checks end.
    let file = path("step-\(prepared.steps.count).sqlite")
    if digest == nil { digest = try reading(file) }
    try finishChecks()
    if let finding = agreement?.finding { throw StepFailure.damagedResult(findings: [finding]) }
    // The family's accepted losses may have changed since an earlier run finished these steps.
    for index in outcomes.indices {
      outcomes[index].report.way = prepared.ways[index]?.word
      let version = prepared.steps[index].source
      outcomes[index].losses = outcomes[index].losses.named(
        version: index == 0 ? nil : version.name, in: version.model,
        accepted: prepared.family.configuration.acceptedLosses)
    }
    let external = ExternalData(store: job.source)
    try LossCount(
      path: prepared.path, counts: StoreCounts(store: prepared.store, layout: prepared.sourceLayout),
      family: prepared.family, external: external, name: job.storeName,
      now: job.claimedAt.timeIntervalSinceReferenceDate, isStrict: job.refusesLosses
    ).refuse(outcomes.flatMap(\.losses))
    let putAside = outcomes.indices.filter { outcomes[$0].report.quarantine != nil }
    outcomes[outcomes.count - 1].warnings += try warnings + deliverCompanions(quarantines: putAside)
    try job.checkDisk()
    for index in putAside {
      let files = quarantine(index)
      outcomes[index].report.quarantine?.store = files.storeName
      outcomes[index].report.quarantine?.list = files.listName
    }
    let report = try report(outcomes, digest, goesOn)
    try job.checkDisk()
    try deliver(file, report)
    return report
  }

  /// Waits for the checks of the source.
  ///
  /// A step waits for these checks, too, but an earlier run may have finished all steps.
  private func finishChecks() throws(StoreError) {
    try prepared.store.finishChecks(while: goesOn)
  }

  /// Reports about once a second that the job is being finished, and asks whether to stop.
  ///
  /// - Returns: Whether to go on.
  func goesOn() -> Bool {
    guard beat.isDue() else { return true }
    progress(waiting(.finish))
    return !shouldStop()
  }

  /// The progress that is reported while no step advances.
  func waiting(_ stage: MigrationProgress.Stage) -> MigrationProgress {
    let steps = stage == .open ? 0 : prepared.steps.count
    return MigrationProgress(
      step: steps, steps: steps, sourceVersion: prepared.source.name, destinationVersion: prepared.target.name,
      pass: 0, passes: 0, passName: "", stage: stage, family: prepared.family.name)
  }

  /// Removes a step's store, its working files and its `Notes`, made by an earlier run or by a first attempt.
  private func forget(_ index: Int) {
    for end in [".sqlite", ".sqlite.partial", ".sqlite.partial-journal", ".sqlite.partial-wal", ".json"] {
      unlink(path("step-\(index + 1)\(end)"))
    }
    for file in WorkingCopy.leftovers(of: path("step-\(index + 1).sqlite.partial")) { unlink(file) }
  }

  func notesPath(_ index: Int) -> String { path(Self.notesName(index)) }

  /// Whether the caller syncs the output to disk.
  ///
  /// If so, a crash loses only work that is quickly repeated, such as a short step without `Notes`.
  var leavesSync: Bool {
    !job.syncsOutput && prepared.steps.indices.allSatisfy { access(notesPath($0), F_OK) != 0 }
  }

  func path(_ name: String) -> String { folder + "/" + name }

  func keeping(_ index: Int, _ digests: StepDigests) throws -> AssociationKeeping? {
    guard prepared.keepsAssociations else { return nil }
    let step = prepared.steps[index]
    return AssociationKeeping(
      path: path(Self.associations), step: index + 1, sourceVersion: step.source.name,
      destinationVersion: step.destination.name, digest: try digests.of(index))
  }

  /// The content of the `Z_MODELCACHE` that a step writes.
  func modelCache(_ index: Int) -> Data? { index + 1 == prepared.steps.count ? prepared.modelCache : nil }

  func program(_ index: Int, history: HistoryCarriage) -> any StepProgram {
    let step = prepared.steps[index]
    guard let work = step.mappedWork else {
      return InferredProgram(
        step.inferredWork, history: history, alteration: prepared.ways[index]?.alteration)
    }
    return PassProgram(
      work, policies: job.policies, manager: job.manager, placeRecorder: job.placeRecorder,
      folder: prepared.family.folder.path, store: prepared.store.metadata.uuid)
  }

  private func run(
    _ step: PlannedStep, index: Int, source: SourceStore, digests: StepDigests, time: Double, file: String
  ) throws -> Made {
    let notes = notesPath(index)
    let externalFolder = ExternalData(store: job.source).readableFiles
    let carried = index == 0 ? prepared.history : nil
    let history =
      if let carried { carried } else {
        try HistoryCarriage(of: source, [step.pairing], areInferred: step.inferred != nil)
          ?? .none(step.destinationLayout)
      }
    let program = program(index, history: history)
    if index > 0, step.inferred != nil, program.quarantine == nil {
      try UniquenessCheck(step.pairing).check(source, externalFolder: externalFolder)
    }
    if index > 0, let plan = step.passPlan {
      try ChunkCheck(plan, now: time).check(source, externalFolder: externalFolder)
    }
    let meter = StepMeter(
      MigrationProgress(
        step: index + 1, steps: prepared.steps.count, sourceVersion: step.source.name,
        destinationVersion: step.destination.name, pass: 1, passes: program.passNames.count,
        passName: program.passNames.first ?? "", stage: .open, family: prepared.family.name),
      passNames: program.passNames, observer: progress)
    if program.alteration == nil {
      for leftover in WorkingCopy.leftovers(of: file + ".partial") { unlink(leftover) }
    }
    let small = SmallStore.beginning(for: program, of: prepared, source: source, file: file + ".partial")
    var input = StepRun.Input(
      source: source,
      program: program, path: file + ".partial", digest: small == nil ? try digests.of(index) : "",
      metadata: metadata(of: source, for: step),
      chunkSize: ChunkSize(wanted: job.chunkSize, usual: prepared.family.configuration.chunkSize),
      externalFolder: externalFolder, now: time, modelCache: modelCache(index),
      quarantine: QuarantineFiles(workFolder: job.workFolder, step: index + 1),
      keeping: try keeping(index, digests), checksPages: job.checksPages, small: small,
      // Commits wait for the disk from the start if the file is a copy of the source, because a copy may be large.
      // They also wait if a chunk size is stated, because the chunk size limits the work that a crash may undo.
      patience: prepared.hasChunks || program.alteration != nil ? .zero : job.patience, watch: job.watch)
    let outcome: Outcome
    // A store built in memory is made again after a crash. Only the result must survive a crash, and its sync may be
    // left to the caller.
    var isMadeAnew = false
    let isLast = index + 1 == prepared.steps.count
    var isNoted = true
    if let earlier = try self.notes(index, digests), try StepRun.isComplete(input) {
      // The earlier run was killed between its last write to the file and the rename.
      try StepRun.seal(input)
      outcome = earlier
    } else {
      // Notes don't say to which file they belong, so old notes must not stay beside a new file. The old file is
      // removed, too, because a file without notes can't be used.
      let had = [unlink(notes), unlink(file)]
      if had.contains(0) { try FileCopy.sync(job.workFolder.path) }
      let isStopped = shouldStop
      let findings = try LateLosses(prepared, step: index).findings(in: source, now: time) {
        meter.beat()
        return !isStopped()
      }
      if let small = try fillInMemory(input, step: step, findings: findings, meter: meter) {
        outcome = small
        isMadeAnew = !isLast || leavesSync
      } else {
        input.small = nil
        input.digest = try digests.of(index)
        isNoted = false
        outcome = try fill(input, step: step, findings: findings, meter: meter) { outcome in
          try note(outcome, of: index, digests)
          isNoted = true
        }
        isMadeAnew = !isNoted && prepared.steps.count == 1 && leavesSync
      }
    }
    return Made(outcome: outcome, isMadeAnew: isMadeAnew, isNoted: isNoted)
  }

  private func metadata(of source: SourceStore, for step: PlannedStep) -> StoreMetadata {
    let own = source.cloudKitTables.isEmpty ? source.metadata : source.metadata.withoutCloudKit
    var metadata = own.updated(for: step.destination.model, framework: step.destinationLayout.framework)
    // The writer of the store may have given the same model other identifiers than the catalogue does. So the store
    // keeps its identifiers if the hashes stay the same.
    if step.source.hashes == step.destination.hashes,
      let identifiers = own.entries[StoreMetadata.Key.identifiers]
    {
      metadata.entries[StoreMetadata.Key.identifiers] = identifiers
    }
    return metadata
  }

  /// The outcome of a step whose store is built in memory; `nil` if the step has to work in a file.
  private func fillInMemory(
    _ input: StepRun.Input, step: PlannedStep, findings: LateLosses.Findings, meter: StepMeter
  ) throws -> Outcome? {
    guard input.small != nil else { return nil }
    do {
      return try fill(input, step: step, findings: findings, meter: meter) { _ in }
    } catch let error as SQLiteError where error.isNoRoom || error.isConstraint {
      // In a file, uniqueness is checked only after all rows were written. So the step begins again in a file.
      return nil
    }
  }

  /// Fills the working file.
  ///
  /// The file is closed when this returns, so it has no `-wal`.
  ///
  /// - Parameter note: Stores the outcome before the file's checkpoint is dropped. Called only if the file survives a
  ///   power cut.
  private func fill(
    _ input: StepRun.Input, step: PlannedStep, findings: LateLosses.Findings, meter: StepMeter,
    note: (Outcome) throws -> Void
  ) throws -> Outcome {
    let clock = Date()
    let report = MigrationReport.Step(
      sourceVersion: step.source.name, destinationVersion: step.destination.name,
      passes: input.program.passNames)
    let run = try StepRun(input, report: report, meter: meter, shouldStop: shouldStop)
    try run.run()
    var outcome = Outcome(
      report: run.report, warnings: findings.warnings + run.warnings, losses: findings.losses + run.losses,
      time: try run.time())
    outcome.report.seconds = Date().timeIntervalSince(clock)
    outcome.report.passSeconds = meter.passSeconds
    if outcome.report.seconds >= MigrationReport.Timeline.shortest { outcome.report.timeline = meter.timeline }
    if run.isDurable { try note(outcome) }
    try run.seal()
    return outcome
  }
}
