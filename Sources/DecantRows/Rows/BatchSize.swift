/// The size of a batch, which is held in memory as a whole.
package enum BatchSize {
  /// The number of source rows whose objects are held.
  package static let rows = 1000
  /// The bytes of large values after which a batch ends early.
  package static let bytes = 8 << 20
}
