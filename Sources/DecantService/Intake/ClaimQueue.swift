/// Claims drops on disk queues, several in parallel; the loop waits for them.
final class ClaimQueue {
  /// The number of drops that are claimed in parallel.
  static let width = 16
  /// The seconds that one turn of the loop may spend on claims.
  static let turnSeconds = 0.25
  /// The seconds that the disk may take for claims.
  ///
  /// After that, the watchdog takes the daemon for hung.
  static let longest = 600

  private let spool: Spool
  private var counter: ArrivalCounter
  private let queues = DiskQueues()
  private let outcomes = OutcomeBook<ClaimOutcome>()

  init(spool: Spool) throws(FileFailure) {
    self.spool = spool
    counter = try ArrivalCounter(
      spool: spool, inUse: try spool.work.names().compactMap { Recovery.arrival(of: $0.text) })
  }

  /// Claims drops.
  ///
  /// - Parameter waiting: Is called each second while the disk is busy.
  /// - Returns: The outcomes in the order of the drops.
  func take(_ drops: [Drop], at wall: Double, waiting: () -> Void) throws(FileFailure) -> [ClaimOutcome] {
    var batch: [(drop: Drop, arrival: Int)] = []
    for drop in drops { batch.append((drop, try counter.next(spool: spool))) }
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
    var patience = Self.longest
    while patience > 0, !queues.finish(within: 1) {
      // A busy disk is not a hang. If the disk gives no answer at all, the watchdog ends the daemon.
      patience -= 1
      waiting()
    }
    queues.finish()
    return outcomes.take().sorted { $0.arrival < $1.arrival }
  }
}
