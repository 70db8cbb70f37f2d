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
