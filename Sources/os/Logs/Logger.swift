/// Writes messages to a log, one line each, on standard error.
///
/// Without `privacy`, numbers, truth values and types are shown, and texts and objects are shown as `<private>`, as on
/// a Mac without a debugger. `DECANT_LOG_PRIVATE=1` in the environment shows private values, too.
///
/// Lines of the levels `trace` and `debug` need `OS_ACTIVITY_MODE=debug` in the environment. With
/// `OS_ACTIVITY_MODE=disable` no line is written.
public struct Logger: Sendable {
  private let log: OSLog

  /// A logger without subsystem and category.
  public init() { log = .default }

  /// - Parameters:
  ///   - subsystem: The program or its part, such as `org.example.notas`.
  ///   - category: The part within the subsystem.
  public init(subsystem: String, category: String) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  public init(_ logObj: OSLog) { log = logObj }

  public func log(_ message: OSLogMessage) { write(.notice, message) }
  public func log(level: OSLogType, _ message: OSLogMessage) { write(LogLevel(level), message) }
  public func trace(_ message: OSLogMessage) { write(.trace, message) }
  public func debug(_ message: OSLogMessage) { write(.debug, message) }
  public func info(_ message: OSLogMessage) { write(.info, message) }
  public func notice(_ message: OSLogMessage) { write(.notice, message) }
  public func warning(_ message: OSLogMessage) { write(.warning, message) }
  public func error(_ message: OSLogMessage) { write(.error, message) }
  public func critical(_ message: OSLogMessage) { write(.critical, message) }
  public func fault(_ message: OSLogMessage) { write(.fault, message) }

  private func write(_ level: LogLevel, _ message: OSLogMessage) {
    log.write(level) { message.text(showsPrivate: $0) }
  }
}
