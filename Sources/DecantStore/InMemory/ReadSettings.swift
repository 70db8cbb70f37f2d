/// The settings of a connection that reads a store of unknown origin.
enum ReadSettings {
  /// The settings as SQL.
  ///
  /// `CHECK` constraints aren't evaluated: their expressions may take very long, and Core Data doesn't write such
  /// constraints.
  static let text = "PRAGMA ignore_check_constraints=ON; PRAGMA cache_size=-2000"
}
