/// The policy classes that a family's worker brings along, as far as a check can know.
public enum RegisteredClasses: Sendable {
  /// There is no worker.
  case noWorker
  /// What the worker has told, by its path.
  case names([String], worker: String)
  /// Why the worker can't be asked, in a sentence.
  case unusable(String)
}
