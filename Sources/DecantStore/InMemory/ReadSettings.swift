/// The settings of a connection that reads a store of unknown origin.
enum ReadSettings {
  /// Constraints of the file are expressions of unknown cost.
  ///
  /// Core Data writes none that check values.
  static let text = "PRAGMA ignore_check_constraints=ON; PRAGMA cache_size=-2000"
}
