package enum Backoff {
  /// Seconds before retry number `retries` + 1: the first wait, doubled each time, up to the maximum.
  package static func seconds(retries: Int, first: Double, maximum: Double) -> Double {
    var wait = first
    for _ in 0..<max(0, min(retries, 64)) {
      wait *= 2
      if wait >= maximum { break }
    }
    return min(wait, maximum)
  }
}
