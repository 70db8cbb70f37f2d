import CommandSupport
import DecantShards
import Testing

@testable import DecantCommand
@testable import DecantConsole

/// The progress and the report of a whole shard.
@Suite("The progress of a shard")
struct ShardDisplayTests {
  private func counts(_ change: (inout ShardCounts) -> Void = { _ in }) -> ShardCounts {
    var counts = ShardCounts()
    counts.stores = 2000
    counts.results = [.done: 500, .refused: 3]
    counts.skipped = 3
    counts.bytes = 5 << 20
    counts.seconds = 50
    change(&counts)
    return counts
  }

  @Test("the progress has stores, bytes, speed and the remaining time")
  func text() throws {
    let shard = try Shard("3/8")
    #expect(
      ShardDisplay.text(counts(), shard)
        == "shard 3/8: 503 of 2,000 stores (25 %), 5.0 MiB, 3 refused, 10.0 stores/s, about 2 min 30 s left")
    let start = counts { $0.results = [:] }
    #expect(ShardDisplay.text(start, shard) == "shard 3/8: 0 of 2,000 stores (0 %), 5.0 MiB")
    #expect(ShardDisplay.text(counts { $0.stores = 0 }, shard).hasPrefix("shard 3/8: 503 of 0 stores, "))
  }

  @Test("a terminal gets one line, other outputs get a line every ten seconds")
  func pace() throws {
    for (isTerminal, lines) in [(true, 6), (false, 3)] {
      let sink = Captured.Sink()
      let channel = Channel(isTerminal: isTerminal, width: 120, write: sink.take)
      var display = ShardDisplay(
        Console(output: channel, messages: channel), isQuiet: false, shard: try Shard("1/1"))
      let start = ContinuousClock.now
      for second in [0, 9, 11, 15, 22, 33] {
        display.show(counts { $0.bytes = second << 20 }, at: start + .seconds(second))
      }
      display.end()
      let written = sink.text.split(separator: isTerminal ? "\r" : "\n")
      #expect(written.count == lines, "\(sink.text)")
      #expect(
        isTerminal ? !sink.text.contains("\n") : sink.text.contains("decant: shard 1/1: 503"), "\(sink.text)")
    }
  }

  @Test("the exit code is 75 if a second run may help, and 65 if it doesn't")
  func exitCodes() {
    let cases: [(change: (inout ShardCounts) -> Void, code: Int32)] = [
      ({ $0.results = [.done: 2000] }, 0),
      ({ $0.results = [.done: 1999, .refused: 1] }, 65),
      ({ $0.results = [.done: 1997, .refused: 1, .later: 2] }, 75),
      ({ $0.results = [.done: 1998, .refused: 1] }, 75),
      ({ $0.results = [.done: 1999] }, 75),
      ({ $0.isStopped = true }, 75),
      ({ $0.obstacle = "full" }, 75),
    ]
    for (change, code) in cases { #expect(ShardMigration.exitCode(counts(change)) == code) }
  }
}
