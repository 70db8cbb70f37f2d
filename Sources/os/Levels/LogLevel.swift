/// The levels that have a word of their own in a line.
enum LogLevel: String {
  case trace, debug, info, notice, warning, error, critical, fault

  /// The level of a type; `notice` for `default` and for an unknown type.
  init(_ type: OSLogType) {
    switch type {
    case .debug: self = .debug
    case .info: self = .info
    case .error: self = .error
    case .fault: self = .fault
    default: self = .notice
    }
  }

  /// Whether lines of this level are written only on request.
  var isForDebugging: Bool { self == .trace || self == .debug }
}
