internal import DecantModel

extension Attribute {
  /// The limits in the model; if there are none, limits for usual values.
  ///
  /// With these limits, most values also fit smaller types and other types of numbers, as in users' stores.
  var plausibleLimits: Limits {
    var limits = limits
    guard limits.minimum == nil, limits.maximum == nil else { return limits }
    switch type.content {
    case .integer: (limits.minimum, limits.maximum) = (.integer(0), .integer(10_000))
    case .real: (limits.minimum, limits.maximum) = (.double(0), .double(10_000))
    case .decimal: (limits.minimum, limits.maximum) = (.decimal(0), .decimal(10_000))
    // Seconds since 2001: until the middle of 2026.
    case .date: (limits.minimum, limits.maximum) = (.date(0), .date(805_000_000))
    case .boolean, .string, .url, .uuid, .data, nil: break
    }
    return limits
  }
}
