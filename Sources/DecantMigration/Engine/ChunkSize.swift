/// How many rows the next chunk takes.
///
/// A commit waits for the disk, so that short chunks cost more than they are worth; a long one is what a killed run has
/// to do again. Unless somebody gives the size it follows the time that the last chunk took.
struct ChunkSize {
  private static let aim = Duration.milliseconds(100)
  private static let range = 1_000...1_000_000

  /// What whoever started the job asked for.
  private let wanted: Int?
  /// What the family asks for where an entity mapping doesn't.
  private let usual: Int?
  private var measured = 10_000

  init(wanted: Int?, usual: Int?) {
    self.wanted = wanted.map { max(1, $0) }
    self.usual = usual.map { max(1, $0) }
  }

  /// The rows of the next chunk.
  ///
  /// - Parameter stated: What the entity mapping asks for.
  func rows(stated: Int?) -> Int { wanted ?? stated ?? usual ?? measured }

  /// Whether the rows of a chunk follow from the time, so that a few more or less are the same.
  func isMeasured(stated: Int?) -> Bool { wanted == nil && stated == nil && usual == nil }

  /// Notes how long a full chunk took.
  mutating func took(_ time: Duration, stated: Int?) {
    guard isMeasured(stated: stated) else { return }
    let ratio = Self.aim / max(time, .milliseconds(1))
    let next = Double(measured) * min(8, max(0.25, ratio))
    measured = min(Self.range.upperBound, max(Self.range.lowerBound, Int(next)))
  }
}
