extension MigrationReport {
  /// What a step did when, for a picture.
  ///
  /// Times are seconds of wall time since the step began in this run. The number of parts and points is bounded, whatever
  /// the store's size.
  public struct Timeline: Sendable, Hashable, Codable {
    /// A span in which one entity mapping, table or index was in one stage.
    public struct Part: Sendable, Hashable, Codable {
      /// The pass, from 1.
      public var pass: Int
      public var stage: MigrationProgress.Stage
      /// `nil` between entity mappings, and where several short spans are one part.
      public var entityMapping: String?
      public var begin: Double
      public var end: Double
      /// The rows that were done in it.
      public var rows: Int
      /// The chunks that were committed in it.
      public var chunks: Int

      public init(
        pass: Int, stage: MigrationProgress.Stage, entityMapping: String?, begin: Double, end: Double,
        rows: Int = 0,
        chunks: Int = 0
      ) {
        self.pass = pass
        self.stage = stage
        self.entityMapping = entityMapping
        self.begin = begin
        self.end = end
        self.rows = rows
        self.chunks = chunks
      }
    }

    /// The rows that were done at a time.
    public struct Point: Sendable, Hashable, Codable {
      public var seconds: Double
      public var rows: Int

      public init(seconds: Double, rows: Int) {
        self.seconds = seconds
        self.rows = rows
      }
    }

    /// In the order of time, without gaps.
    public var parts: [Part]
    public var points: [Point]

    public init(parts: [Part] = [], points: [Point] = []) {
      self.parts = parts
      self.points = points
    }

    /// The seconds that a step has to take for a picture to say something; shorter ones have no timeline.
    package static let shortest = 1.0
  }
}

extension MigrationReport.Step {
  /// Source rows read per second of a pass, from 1, or of the step; `nil` if the step has no timeline, if an earlier run
  /// has done a part of it, or if the work isn't counted in rows, as in a copy that is changed in place.
  ///
  /// A row counts as in the progress: each time that a stage of an entity mapping reads it, also if its filter leaves the
  /// row out.
  public func rowsReadPerSecond(pass: Int? = nil) -> Double? {
    guard resumedChunks == 0, let timeline else { return nil }
    let time: Double =
      if let pass, pass > 0, pass <= passSeconds.count {
        passSeconds[pass - 1]
      } else {
        pass == nil || passes.count == 1 ? seconds : 0
      }
    let rows = timeline.parts.reduce(0.0) { pass == nil || $1.pass == pass ? $0 + Double($1.rows) : $0 }
    guard time.isFinite, time >= 0.05, rows > 0 else { return nil }
    return rows / time
  }
}
