internal import DecantCatalogue
internal import DecantEngine
internal import DecantReport
internal import DecantStore
internal import Foundation

/// Moves the results of the steps to the job's output.
extension JobRun {
  /// The place for the objects that a step has quarantined.
  func quarantine(_ index: Int) -> QuarantineFiles {
    QuarantineFiles(output: job.output, step: index + 1, of: prepared.steps.count)
  }

  /// Delivers the files beside the store.
  ///
  /// The store itself comes last, so that it is never there without these files.
  ///
  /// - Parameter quarantines: The indexes of the steps that have quarantined objects, from 0.
  /// - Returns: Sentences for the report.
  func deliverCompanions(quarantines: [Int]) throws -> [String] {
    try OutputFolder(of: job)?.clear(keepsExternalData: true)
    let external = ExternalData(store: job.source)
    let warnings = try external.copy(
      to: ExternalData(store: job.output), links: job.linksExternalFiles, isDurable: !leavesSync,
      while: goesOn(filesDone:of:))
    if let strays = prepared.strays {
      try strays.files.sync()
      try strays.files.deliver(
        to: QuarantineFiles(strayRowsBeside: job.output), layout: prepared.sourceLayout, external: external,
        while: goesOn)
    }
    for index in quarantines {
      try QuarantineFiles(workFolder: job.workFolder, step: index + 1).deliver(
        to: quarantine(index), layout: prepared.steps[index].destinationLayout, external: external,
        while: goesOn)
    }
    if prepared.keepsAssociations {
      try AssociationDelivery(
        path: path(Self.associations), place: KeptAssociations.place(beside: job.output).path,
        steps: prepared.steps.count, uuid: prepared.store.metadata.uuid, store: job.output.lastPathComponent
      ).run()
    }
    return warnings
  }

  /// Reports about once a second how many external files are in their place.
  ///
  /// - Returns: Whether to go on; `shouldStop` is asked at each call.
  private func goesOn(filesDone done: Int, of all: Int) -> Bool {
    if beat.isDue() {
      var waiting = waiting(.finish)
      waiting.entityMapping = "external files"
      (waiting.filesDone, waiting.filesTotal) = (done, all)
      progress(waiting)
    }
    return !shouldStop()
  }

  /// Moves the store to its place.
  ///
  /// If this run writes a `ResultNote`, it does so before the move. If the run is killed after the move, its result
  /// then counts as finished.
  func deliver(_ file: String, _ report: MigrationReport) throws {
    let isNoted = job.notesResult && !leavesSync
    if isNoted || prepared.keepsAssociations && !leavesSync {
      try FileCopy.sync(job.output.deletingLastPathComponent().path)
    }
    if isNoted {
      let family = FamilyStamp(of: prepared.family.place, prepared.family.state)
      try ResultNote(report, file: file, of: job, family).write(to: job.workFolder)
    }
    guard rename(file, job.output.path) == 0 else { throw FileCopy.failure(job.output.path, "put into place") }
    if !leavesSync { try FileCopy.sync(job.output.deletingLastPathComponent().path) }
    if isNoted {
      ResultNote.clear(job.workFolder)
    } else {
      // After a store was built in memory, the work folder is empty, and `rmdir` is enough.
      if rmdir(job.workFolder.path) != 0 { try? FileManager.default.removeItem(at: job.workFolder) }
    }
  }
}
