// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Glibc

// Apple's functions take CVarArg. On Linux neither NSNumber nor an error conforms to CVarArg, so the functions here
// take any value.

/// Writes a message with a format of C: `os_log("Step %{public}@ took %.2f s", log: log, type: .info, name, seconds)`.
///
/// Without an option in the directive, numbers are shown, and values of `%@` and texts of `%s` are private.
/// `%{public}@` shows the value.
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
  _ arguments: Any?...
) {
  write(message, log, type, arguments)
}

/// Writes a message with a format of C.
public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
  _ arguments: Any?...
) {
  write(message, log, type, arguments)
}

/// Writes a message with interpolated values, as `Logger` does.
@_disfavoredOverload
public func os_log(_ message: OSLogMessage) { os_log(.default, log: .default, message) }

/// Writes a message with interpolated values, as `Logger` does.
@_disfavoredOverload
public func os_log(_ logLevel: OSLogType, _ message: OSLogMessage) {
  os_log(logLevel, log: .default, message)
}

/// Writes a message with interpolated values, as `Logger` does.
@_disfavoredOverload
public func os_log(_ logLevel: OSLogType, log: OSLog, _ message: OSLogMessage) {
  log.write(LogLevel(logLevel)) { message.text(showsPrivate: $0) }
}

private func write(_ message: StaticString, _ log: OSLog, _ type: OSLogType, _ arguments: [Any?]) {
  let code = errno
  log.write(LogLevel(type)) {
    FormatText.of(message.description, arguments, errorNumber: code, showsPrivate: $0)
  }
}
