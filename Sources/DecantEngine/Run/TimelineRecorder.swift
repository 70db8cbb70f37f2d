internal import DecantReport

/// Records a step's timeline while it runs, in bounded space.
struct TimelineRecorder {
  /// When the timeline has this many parts, a further part is joined with the last part, if both have the same pass and
  /// stage.
  static let mostParts = 300
  static let mostPoints = 200

  private(set) var timeline = MigrationReport.Timeline()
  private var began: ContinuousClock.Instant?
  /// The rows at the beginning of the last part.
  private var rowsBefore = 0
  private var chunksBefore = 0
  /// The minimum time between two points, in seconds.
  private var pace = 0.1

  /// Takes the state that holds from now on; the time until now belongs to the state before.
  mutating func note(_ progress: MigrationProgress, at now: ContinuousClock.Instant) {
    let began = began ?? now
    self.began = began
    let seconds = began.duration(to: now) / .seconds(1)
    // Rows of an earlier run are counted before this run reads any. They aren't work of this run.
    if progress.stage == .open { (rowsBefore, timeline.points) = (progress.rowsDone, []) }
    notePart(progress, at: seconds)
    notePoint(progress.rowsDone, at: seconds)
  }

  private mutating func notePart(_ progress: MigrationProgress, at seconds: Double) {
    let last = timeline.parts.count - 1
    if last >= 0 {
      timeline.parts[last].end = seconds
      if continues(timeline.parts[last], progress) {
        timeline.parts[last].rows = max(0, progress.rowsDone - rowsBefore)
        timeline.parts[last].chunks = max(timeline.parts[last].chunks, progress.chunk - chunksBefore)
        if timeline.parts[last].entityMapping != progress.entityMapping {
          timeline.parts[last].entityMapping = nil
        }
        return
      }
      timeline.parts[last].rows = max(timeline.parts[last].rows, progress.rowsDone - rowsBefore)
    }
    (rowsBefore, chunksBefore) = (progress.rowsDone, progress.chunk)
    timeline.parts.append(
      .init(
        pass: progress.pass, stage: progress.stage, entityMapping: progress.entityMapping, begin: seconds,
        end: seconds))
  }

  private func continues(_ part: MigrationReport.Timeline.Part, _ progress: MigrationProgress) -> Bool {
    guard part.pass == progress.pass, part.stage == progress.stage else { return false }
    return part.entityMapping == progress.entityMapping || timeline.parts.count >= Self.mostParts
  }

  private mutating func notePoint(_ rows: Int, at seconds: Double) {
    if let last = timeline.points.last, seconds - last.seconds < pace { return }
    timeline.points.append(.init(seconds: seconds, rows: rows))
    guard timeline.points.count > Self.mostPoints else { return }
    timeline.points = timeline.points.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    pace *= 2
  }
}
