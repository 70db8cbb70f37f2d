internal import DecantSpool

/// Claims drops on disk queues, several in parallel, while the loop goes on.
final class ClaimQueue {
  /// The largest number of drops that are claimed at the same time.
  static let width = 16

  private let spool: Spool
  private var counter: ArrivalCounter
  private let queues = DiskQueues()
  private let outcomes = OutcomeBook<ClaimOutcome>()
  /// The claims whose outcomes are not taken yet, by arrival number, and when they began on the steady clock.
  private var underWay: [Int: (drop: Drop, since: Double)] = [:]

  init(spool: Spool) throws(FileFailure) {
    self.spool = spool
    counter = try ArrivalCounter(
      spool: spool, inUse: try spool.work.names().compactMap { Recovery.arrival(of: $0.text) })
  }

  var count: Int { underWay.count }

  var oldest: (drop: Drop, since: Double)? { underWay.values.min { $0.since < $1.since } }

  /// The number of further claims that may begin now; 0 until at most half of `width` are under way.
  var room: Int { count <= Self.width / 2 ? Self.width - count : 0 }

  var descriptor: Int32 { outcomes.descriptor }

  /// Begins to claim drops; `take` returns the outcomes.
  ///
  /// - Throws: `FileFailure` if a drop's number can't be written. Then no claim has begun.
  func begin(_ drops: [Drop], at wall: Double, steady: Double) throws(FileFailure) {
    var batch: [(drop: Drop, arrival: Int)] = []
    for drop in drops { batch.append((drop, try counter.next(spool: spool))) }
    for (drop, arrival) in batch { underWay[arrival] = (drop, steady) }
    let (spool, outcomes) = (spool, outcomes)
    for (drop, arrival) in batch {
      queues.async {
        let end: Result<Claim.Outcome, FileFailure>
        do throws(FileFailure) {
          end = .success(try Claim(spool: spool).take(drop, arrival: arrival, at: wall))
        } catch {
          end = .failure(error)
        }
        outcomes.add(ClaimOutcome(drop: drop, arrival: arrival, end: end))
      }
    }
  }

  /// The outcomes since the last call, in the order of the drops.
  func take() -> [ClaimOutcome] {
    let ended = outcomes.take()
    for outcome in ended { underWay[outcome.arrival] = nil }
    return ended.sorted { $0.arrival < $1.arrival }
  }

  /// Waits for the claims that run, and begins no other.
  ///
  /// Drops whose claims have not begun stay in `incoming/`.
  func finish() {
    queues.cancelWaiting()
    queues.finish()
  }
}
