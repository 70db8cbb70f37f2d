internal import DecantWorker

/// A store whose worker was killed from outside (signal 9).
///
/// A scheduler that kills a task kills its processes one after the other, so that a worker may die before its shard.
/// Such a death says nothing of the store. The shard waits a little before it counts the death as an attempt: if the
/// task is being killed, the shard doesn't live to count it.
struct KilledStore: Sendable {
  /// The seconds between a worker's death and its counting.
  static let pause = 2.0

  let job: StoreJob
  let death: WorkerDeath
  /// When the death counts, by the run's clock.
  let judgedAt: Double
}
