/// The size of a batch, which is held in memory as a whole.
package enum BatchSize {
  /// The maximum number of source rows in a batch.
  package static let rows = 1000
  /// The bytes of large values after which a batch ends early.
  package static let bytes = 8 << 20
}
