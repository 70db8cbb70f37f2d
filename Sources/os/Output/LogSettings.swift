internal import Foundation

/// The settings of the log in the environment.
struct LogSettings: Sendable {
  /// Whether private values are shown.
  let showsPrivate: Bool
  private let isSilent: Bool
  private let isDebugging: Bool

  /// The settings from the environment, as it was when they were first needed.
  static let current = LogSettings(ProcessInfo.processInfo.environment)

  init(_ environment: [String: String]) {
    let mode = environment["OS_ACTIVITY_MODE"]?.lowercased()
    isSilent = mode == "disable"
    isDebugging = mode == "debug"
    showsPrivate = environment["DECANT_LOG_PRIVATE"] == "1"
  }

  func writes(_ level: LogLevel) -> Bool { !isSilent && (isDebugging || !level.isForDebugging) }
}
