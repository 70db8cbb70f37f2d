internal import DecantMigration
internal import DecantReport
internal import DecantWorker

/// Records the memory and disk space that each pass of a job uses.
extension Dispatcher {
  func pass(of job: String) -> String? {
    guard let name = running[job]?.meter.latest?.passName, !name.isEmpty else { return nil }
    return name
  }

  /// Notes the figures of a job's pass when its worker reports the next pass.
  func noteEndOfPass(of job: String, before progress: MigrationProgress) {
    guard let running = running[job], let latest = running.meter.latest, latest.steps > 0,
      (latest.step, latest.pass) != (progress.step, progress.pass)
    else { return }
    noteFigures(
      of: job, at: .init(step: latest.step, pass: latest.pass),
      peakMemory: ProcessMemory.bytes(of: "\(running.worker)"))
  }

  func noteEnd(of job: String, _ report: MigrationReport, peakMemory: Int?) {
    guard let last = report.steps.last else { return }
    noteFigures(of: job, at: .init(step: report.steps.count, pass: last.passes.count), peakMemory: peakMemory)
  }

  private func noteFigures(of job: String, at place: PassFigures.Place, peakMemory: Int?) {
    let bytes = try? JobFolder(job, in: spool).workBytes()
    notes[job, default: JobNotes()].figures[place] = PassFigures(peakMemory: peakMemory, diskBytes: bytes)
  }
}
