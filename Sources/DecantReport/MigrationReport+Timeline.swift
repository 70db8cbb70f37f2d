extension MigrationReport {
  /// The course of a step over time, for a picture.
  ///
  /// Times are seconds of wall time since the step began in this run. The number of parts and points has a limit that
  /// doesn't depend on the store's size.
  public struct Timeline: Sendable, Hashable, Codable {
    /// A span of one stage, mostly of one entity mapping, table, index or check.
    public struct Part: Sendable, Hashable, Codable {
      /// The pass, from 1.
      public var pass: Int
      public var stage: MigrationProgress.Stage
      /// `nil` between entity mappings, and where several short spans are one part.
      public var entityMapping: String?
      public var begin: Double
      public var end: Double
      /// The number of rows that were read in this span.
      public var rows: Int
      /// The number of chunks that were committed in this span.
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

    /// The number of rows that the step had read at a moment.
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

    /// The shortest time in seconds of a step with a timeline: the picture of a shorter step would show little.
    package static let shortest = 1.0
  }
}

extension MigrationReport.Step {
  /// The speed of a pass or of the step, in source rows read per second.
  ///
  /// A row counts each time that a stage of an entity mapping reads it, also if the mapping's filter excludes the row.
  ///
  /// - Parameter pass: The pass, from 1; `nil` for the whole step.
  /// - Returns: `nil` if the step has no timeline, if an earlier run did a part of the step, or if the time of the pass
  ///   or step is less than 0.05 s or not known. Also `nil` if the work isn't counted in rows, for example in a copy
  ///   that is changed in place.
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
