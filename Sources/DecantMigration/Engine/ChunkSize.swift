/// How many rows the next chunk takes.
///
/// A commit waits for the disk, so that short chunks cost more than they are worth; a long one is what a killed run has
/// to do again. Unless the size is given it follows the time that the last chunk took.
struct ChunkSize {
  private static let aim = Duration.milliseconds(400)
  private static let range = 1_000...1_000_000

  private let isFixed: Bool
  private(set) var next: Int

  init(fixed: Int?) {
    isFixed = fixed != nil
    next = max(1, fixed ?? 10_000)
  }

  /// Notes how long a full chunk took.
  mutating func took(_ time: Duration) {
    guard !isFixed else { return }
    let ratio = Self.aim / max(time, .milliseconds(1))
    let wanted = Double(next) * min(8, max(0.25, ratio))
    next = min(Self.range.upperBound, max(Self.range.lowerBound, Int(wanted)))
  }
}
