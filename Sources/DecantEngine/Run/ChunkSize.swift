/// The number of rows that the next chunk takes.
///
/// A commit waits for the disk, so very short chunks are slow. A killed run repeats its last chunk, so long chunks cost
/// time too. If no size is given, it follows from the duration of the last chunk.
package struct ChunkSize {
  private static let aim = Duration.milliseconds(100)
  private static let range = 1_000...1_000_000

  /// The size given by the caller of the job.
  private let wanted: Int?
  /// The size given by the family, for entity mappings that give none.
  private let usual: Int?
  private var measured = 10_000

  package init(wanted: Int?, usual: Int?) {
    self.wanted = wanted.map { max(1, $0) }
    self.usual = usual.map { max(1, $0) }
  }

  /// - Parameter stated: The size given by the entity mapping.
  func rows(stated: Int?) -> Int { wanted ?? stated ?? usual ?? measured }

  /// Whether the size follows from measured time, so that a few rows more or less make no difference.
  func isMeasured(stated: Int?) -> Bool { wanted == nil && stated == nil && usual == nil }

  mutating func took(_ time: Duration, stated: Int?) {
    guard isMeasured(stated: stated) else { return }
    let ratio = Self.aim / max(time, .milliseconds(1))
    let next = Double(measured) * min(8, max(0.25, ratio))
    measured = min(Self.range.upperBound, max(Self.range.lowerBound, Int(next)))
  }
}
