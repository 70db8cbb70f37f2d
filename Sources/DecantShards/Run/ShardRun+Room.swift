internal import DecantReport

/// What follows if the scratch folder has no room, or can't be written.
extension ShardRun {
  /// Whether no store is in the scratch folder.
  var isAlone: Bool {
    intakes == 0 && ready.isEmpty && running.isEmpty && killed.isEmpty && deliveries == 0
  }

  /// A store had no room in the scratch folder.
  ///
  /// Beside other stores it waits, and then is tried alone. Alone it may be too large for the folder, so the others go
  /// on. If three stores in a row have no room, the folder has none for any.
  func judgeRoom(_ job: StoreJob, _ failure: MigrationFailure) {
    guard isAlone || failure.reason != .noRoom else {
      job.clear()
      return crowded.append(job)
    }
    settle(job, failure)
    guard isAlone else { return }
    roomless += 1
    if roomless >= 3 || failure.reason != .noRoom { counts.obstacle = failure.description }
  }
}
