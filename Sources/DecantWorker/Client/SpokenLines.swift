internal import Foundation

/// Splits what a worker writes to standard error into lines for people; a line that is too long is cut.
struct SpokenLines {
  /// The maximum length of a line, in bytes.
  static let limit = 8192
  private var rest = Data()
  /// Whether a backtrace has begun.
  ///
  /// From then on all lines are left out, because the failure's message has the important ones.
  private var isCrash = false

  /// The lines that the bytes complete.
  mutating func take(_ bytes: Data) -> [String] {
    var parts = (rest + bytes).split(separator: 0x0A, omittingEmptySubsequences: false)
    rest = Data(parts.removeLast().prefix(Self.limit))
    return parts.map(Self.text).filter { line in
      if Self.crashes.contains(where: line.hasPrefix) { isCrash = true }
      return !isCrash
    }
  }

  /// The line that the end of the output completes; `nil` if there is none.
  mutating func end() -> String? {
    defer { rest = Data() }
    return rest.isEmpty || isCrash ? nil : Self.text(rest)
  }

  /// How Swift's backtraces begin.
  private static let crashes = [
    "Current stack trace:", "*** Signal ", "*** Program crashed", "💣 Program crashed",
  ]

  private static func text(_ line: Data) -> String { String(decoding: line.prefix(limit), as: UTF8.self) }
}
