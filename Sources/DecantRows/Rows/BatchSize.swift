/// The size of a batch: what is held in memory at once.
package enum BatchSize {
  /// The number of source rows whose objects are held.
  package static let rows = 1000
  /// The bytes of large values after which a batch ends early.
  package static let bytes = 8 << 20
}
