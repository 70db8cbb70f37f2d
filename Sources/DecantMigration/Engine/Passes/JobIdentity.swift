internal import DecantStore
internal import PredicateFormat

/// What `uuid` and `random` derive from beside the source object: the same for a job that is resumed, and another one
/// for every other (docs/functions.md, “Hashes and identifiers”).
enum JobIdentity {
  /// - Parameters:
  ///   - store: The store's UUID.
  ///   - time: What `now()` stands for.
  static func text(store: String, time: Double) -> String { "\(store) \(time.bitPattern)" }

  /// Where `random` begins for a source row.
  static func seed(job: String, key: Int64) -> UInt64 {
    var seed: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in job.utf8 { seed = (seed ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return seed ^ (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15)
  }
}
