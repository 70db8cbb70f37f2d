internal import DecantWorker

/// A store whose worker was killed from outside (signal 9).
///
/// A scheduler that kills a task kills its processes one after the other, so that a worker may die before the shard's
/// own process. Such a death says nothing about the store. The shard waits a little before it counts the death as an
/// attempt. If the task is being killed, the shard's process is probably killed in this time.
struct KilledStore: Sendable {
  /// The seconds between a worker's death and the time when the death is counted.
  static let pause = 2.0

  let job: StoreJob
  let death: WorkerDeath
  /// When the death is counted, in seconds of the run's clock.
  let judgedAt: Double
}
