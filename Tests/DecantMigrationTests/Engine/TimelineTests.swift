import Testing

@testable import DecantEngine
@testable import DecantReport

@Suite("The timeline of a step") struct TimelineTests {
  private static func progress(
    _ pass: Int, _ stage: MigrationProgress.Stage, _ mapping: String?, rows: Int, chunk: Int = 0
  ) -> MigrationProgress {
    .init(
      step: 1, steps: 1, sourceVersion: "A", destinationVersion: "B", pass: pass, passes: 2,
      passName: "\(pass)",
      stage: stage, entityMapping: mapping, chunk: chunk, rowsDone: rows)
  }

  @Test("each span has its times, rows and chunks, without gaps")
  func spans() {
    var recorder = TimelineRecorder()
    let start = ContinuousClock.now
    func note(_ seconds: Int, _ progress: MigrationProgress) {
      recorder.note(progress, at: start + .seconds(seconds))
    }
    note(0, Self.progress(1, .open, nil, rows: 0))
    note(2, Self.progress(1, .create, "X", rows: 0))
    note(3, Self.progress(1, .create, "X", rows: 100, chunk: 1))
    note(5, Self.progress(1, .create, "X", rows: 250, chunk: 2))
    // The next part begins. The rows done before don't count for it.
    note(5, Self.progress(2, .relate, "Y", rows: 250))
    note(9, Self.progress(2, .relate, "Y", rows: 300, chunk: 1))
    #expect(
      recorder.timeline.parts == [
        .init(pass: 1, stage: .open, entityMapping: nil, begin: 0, end: 2),
        .init(pass: 1, stage: .create, entityMapping: "X", begin: 2, end: 5, rows: 250, chunks: 2),
        .init(pass: 2, stage: .relate, entityMapping: "Y", begin: 5, end: 9, rows: 50, chunks: 1),
      ])
    #expect(recorder.timeline.points.map(\.rows) == [0, 0, 100, 250, 300])
  }

  @Test("rows of an earlier run don't count for this run")
  func resumed() {
    var recorder = TimelineRecorder()
    let start = ContinuousClock.now
    for (second, stage, rows) in [
      (0, MigrationProgress.Stage.open, 0), (1, .open, 9000), (2, .create, 9000), (3, .create, 9100),
    ] {
      recorder.note(Self.progress(1, stage, nil, rows: rows), at: start + .seconds(second))
    }
    #expect(recorder.timeline.points.map(\.rows) == [9000, 9000, 9100])
    #expect(recorder.timeline.parts.map(\.rows) == [0, 100])
  }

  @Test("the timeline stays small however long a step takes, and keeps begin, end and rows")
  func bounds() {
    var recorder = TimelineRecorder()
    let start = ContinuousClock.now
    for second in 0..<5000 {
      recorder.note(
        Self.progress(1, .create, "T\(second / 2)", rows: second * 10), at: start + .seconds(second))
    }
    let (parts, points) = (recorder.timeline.parts, recorder.timeline.points)
    #expect(parts.count == TimelineRecorder.mostParts)
    #expect(parts.last?.end == 4999 && parts.first?.begin == 0)
    #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.end == $1.begin })
    #expect(parts.reduce(0) { $0 + $1.rows } == 49_990)
    #expect((100...TimelineRecorder.mostPoints).contains(points.count))
    #expect(points.first?.seconds == 0 && (points.last?.seconds ?? 0) > 4900)
    #expect(zip(points, points.dropFirst()).allSatisfy { $0.seconds < $1.seconds && $0.rows <= $1.rows })
  }
}
