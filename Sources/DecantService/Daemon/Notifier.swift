internal import CSystemd

/// Sends messages to the service manager (`sd_notify`); does nothing without one.
package struct Notifier: Sendable {
  /// Half the watchdog's time in seconds; `nil` without a watchdog.
  private let watchdogInterval: Double?
  private var lastWatchdog = -Double.infinity
  private var lastExtension = -Double.infinity
  private var lastStatus = ""

  package init() {
    var microseconds: UInt64 = 0
    watchdogInterval =
      sd_watchdog_enabled(0, &microseconds) > 0 ? Double(microseconds) / 2_000_000 : nil
  }

  /// When the next message to the watchdog is due, in seconds of the steady clock; infinite without a watchdog.
  package var deadline: Double { watchdogInterval.map { lastWatchdog + $0 / 2 } ?? .infinity }

  package func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }
  package func stopping() { send("STOPPING=1\nSTATUS=stopping") }

  package mutating func show(_ status: String) {
    guard status != lastStatus else { return }
    lastStatus = status
    send("STATUS=\(status)")
  }

  package mutating func feedWatchdog(at now: Double) {
    guard now >= deadline else { return }
    lastWatchdog = now
    send("WATCHDOG=1")
  }

  /// Starts a reload; `ready` ends it.
  package func reloading(steadySeconds: Double) {
    send("RELOADING=1\nMONOTONIC_USEC=\(UInt64(max(0, steadySeconds) * 1_000_000))")
  }

  /// Asks for more time to start or to stop.
  package func extendTimeout(seconds: Double) {
    send("EXTEND_TIMEOUT_USEC=\(UInt64(max(0, seconds) * 1_000_000))")
  }

  package mutating func extendStop(at now: Double) {
    guard now - lastExtension >= 5 else { return }
    lastExtension = now
    extendTimeout(seconds: 15)
  }

  private func send(_ text: String) { _ = sd_notify(0, text) }
}
