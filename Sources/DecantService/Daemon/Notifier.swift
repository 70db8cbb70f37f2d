internal import CSystemd

/// Sends messages to the service manager (`sd_notify`); does nothing without one.
package struct Notifier: Sendable {
  /// Half the watchdog's time in seconds; `nil` without a watchdog.
  package let watchdogInterval: Double?

  package init() {
    var microseconds: UInt64 = 0
    watchdogInterval =
      sd_watchdog_enabled(0, &microseconds) > 0 ? Double(microseconds) / 2_000_000 : nil
  }

  package func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }
  package func status(_ status: String) { send("STATUS=\(status)") }
  package func stopping() { send("STOPPING=1\nSTATUS=stopping") }
  package func watchdog() { send("WATCHDOG=1") }

  /// Starts a reload; `ready` ends it.
  package func reloading(steadySeconds: Double) {
    send("RELOADING=1\nMONOTONIC_USEC=\(UInt64(max(0, steadySeconds) * 1_000_000))")
  }

  /// Asks for more time to stop.
  package func extendTimeout(seconds: Double) {
    send("EXTEND_TIMEOUT_USEC=\(UInt64(max(0, seconds) * 1_000_000))")
  }

  private func send(_ text: String) { _ = sd_notify(0, text) }
}
