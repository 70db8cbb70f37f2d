public import Foundation

extension Progress {
  /// Runs a closure while this progress is the current one of the thread, as on a Mac.
  ///
  /// A migration inside the closure counts as `unitCount` units of this progress.
  public func performAsCurrent<Result>(
    withPendingUnitCount unitCount: Int64, using work: () throws -> Result
  ) rethrows -> Result {
    becomeCurrent(withPendingUnitCount: unitCount)
    defer { resignCurrent() }
    return try work()
  }
}
