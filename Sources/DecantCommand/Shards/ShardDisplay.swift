internal import DecantConsole
internal import DecantModel
internal import DecantReport
internal import DecantShards
internal import Foundation

/// The progress of a whole shard.
struct ShardDisplay {
  /// The time between lines that aren't on a terminal; it is long, because a scheduler keeps all lines.
  private static let pace = Duration.seconds(10)

  private var talk: TalkLine
  private let isTerminal: Bool
  private let shard: Shard
  private var lastShown = ContinuousClock.now

  init(_ console: Console, isQuiet: Bool, shard: Shard) {
    talk = TalkLine(console, isQuiet: isQuiet)
    isTerminal = console.messages.isTerminal
    self.shard = shard
  }

  mutating func show(_ counts: ShardCounts, at now: ContinuousClock.Instant = .now) {
    guard isTerminal || lastShown.duration(to: now) >= Self.pace else { return }
    lastShown = now
    let text = Self.text(counts, shard)
    talk.show(text, at: now)
  }

  mutating func end() { talk.end() }

  static func text(_ counts: ShardCounts, _ shard: Shard) -> String {
    var parts = [
      "shard \(shard): \(grouped(counts.settled)) of \(counted(counts.stores, "store"))"
        + (counts.stores > 0 ? " (\(100 * counts.settled / counts.stores) %)" : ""),
      Quantity.bytes(counts.bytes),
    ]
    if let refused = counts.results[.refused] { parts.append("\(grouped(refused)) refused") }
    if let later = counts.results[.later] { parts.append("\(grouped(later)) to try again") }
    if let rate = counts.rate { parts.append("\(ShardText.rate(rate)) stores/s") }
    if let left = counts.secondsLeft, counts.settled < counts.stores {
      parts.append("about \(DurationText.of(left)) left")
    }
    return parts.joined(separator: ", ")
  }
}
