/// Whether a job may be in the part of the queue that a status doesn't list.
///
/// A status lists only 100 queued jobs. A job that isn't listed may be further back, but not for ever.
struct HiddenQueue: Sendable {
  /// The answer for the last status.
  private(set) var mayHold = false
  /// The number of queued jobs, and of jobs that were over, in the first status without the job.
  private var first: (queued: Int, over: Int)?

  /// Takes a status in which the job isn't listed.
  ///
  /// Jobs of a higher priority may come first. So while the status doesn't list all queued jobs, the job counts as lost
  /// only in one case: the number of jobs that have ended since the first such status is more than twice the number of
  /// jobs that were queued then.
  mutating func mayHold(_ status: DaemonStatus) -> Bool {
    let queued = status.jobs?.queued ?? 0
    let over = (status.jobs?.done ?? 0) + (status.jobs?.failed ?? 0)
    let start = first ?? (queued, over)
    first = start
    mayHold = queued > (status.queued?.count ?? 0) && over - start.over <= 2 * start.queued
    return mayHold
  }
}
