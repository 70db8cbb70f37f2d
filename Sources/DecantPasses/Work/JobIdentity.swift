internal import DecantStore
internal import PredicateFormat

/// The input of `uuid` and `random` besides the source object (docs/functions.md, “Hashes and identifiers”).
///
/// A resumed job has the same input.
package enum JobIdentity {
  /// - Parameters:
  ///   - store: The store's UUID.
  ///   - time: The value of `now()`.
  package static func text(store: String, time: Double) -> String { "\(store) \(time.bitPattern)" }

  /// The seed of `random` for a source row.
  package static func seed(job: String, key: Int64) -> UInt64 {
    var seed: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in job.utf8 { seed = (seed ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return seed ^ (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15)
  }
}
