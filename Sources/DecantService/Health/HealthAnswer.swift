internal import Foundation

/// An answer of the health endpoint; it depends only on the request, the status and the age of the status.
package struct HealthAnswer: Sendable, Hashable {
  package var code: Int
  package var type: String
  package var body: String
  /// The allowed methods, for an answer with 405; `nil` for other answers.
  package var allow: String?
  package var order: DaemonOrder?

  /// The seconds without a turn of the loop after which the daemon counts as hung.
  package static let hangSeconds = 60.0

  package init(code: Int, type: String = "text/plain; charset=utf-8", body: String, allow: String? = nil) {
    self.code = code
    self.type = type
    self.body = body
    self.allow = allow
  }

  /// Answers a request.
  ///
  /// - Parameter age: The seconds since the daemon's loop last wrote the status.
  package static func answer(_ request: HealthRequest, status: ServiceStatus, age: Double) -> HealthAnswer {
    if let order = request.order { return take(order, request, status) }
    let (method, path, isVerbose) = (request.method, request.path, request.isVerbose)
    let routes = ["/livez", "/healthz", "/readyz", "/status", "/metrics"]
    guard routes.contains(path) else {
      return HealthAnswer(code: 404, body: "Not found. There are /livez, /readyz, /status and /metrics.\n")
    }
    guard method == "GET" || method == "HEAD" else {
      return HealthAnswer(code: 405, body: "Only GET and HEAD.\n", allow: "GET, HEAD")
    }
    switch path {
    case "/readyz": return readiness(status, isVerbose: isVerbose)
    case "/status": return HealthAnswer(code: 200, type: "application/json", body: json(status))
    case "/metrics":
      return HealthAnswer(
        code: 200, type: "text/plain; version=0.0.4; charset=utf-8", body: MetricsText.of(status))
    default:
      return age <= hangSeconds
        ? HealthAnswer(code: 200, body: "ok\n")
        : HealthAnswer(code: 503, body: "The daemon's main loop last ran \(Int(min(age, 1e9))) s ago.\n")
    }
  }

  /// The answer to an order; the loop decides later whether it can still carry out the order.
  private static func take(_ order: DaemonOrder, _ request: HealthRequest, _ status: ServiceStatus)
    -> HealthAnswer
  {
    guard request.method == "POST" else {
      return HealthAnswer(code: 405, body: "Only POST.\n", allow: "POST")
    }
    guard request.mayChange else {
      return HealthAnswer(code: 403, body: "Only the daemon's user and root may do that.\n")
    }
    guard status.state == .running else {
      return HealthAnswer(code: 503, body: "The daemon is \(status.state.rawValue).\n")
    }
    var answer = HealthAnswer(code: 202, body: order.promise + "\n")
    answer.order = order
    return answer
  }

  private static func readiness(_ status: ServiceStatus, isVerbose: Bool) -> HealthAnswer {
    var lines: [String] = []
    if status.state != .running { lines.append("[-] state: the daemon is \(status.state.rawValue)") }
    for check in status.checks where isVerbose || !check.ok || check.warning {
      lines.append("[\(!check.ok ? "-" : check.warning ? "!" : "+")] \(check.name): \(check.message)")
    }
    if isVerbose {
      for wait in status.waiting {
        lines.append("[i] \(wait.job) (\(wait.store)) waits, \(wait.cause): \(wait.message)")
      }
      for blocked in status.blocked {
        lines.append(
          "[i] incoming/\(blocked.drop): \(blocked.message)"
            + (blocked.command.isEmpty ? "" : " Fix it with: \(blocked.command)"))
      }
    }
    lines.append(status.isReady ? "ready" : "not ready")
    return HealthAnswer(
      code: status.isReady ? 200 : 503,
      body: lines.map { $0.replacingOccurrences(of: "\n", with: " ") }
        .joined(separator: "\n") + "\n")
  }

  private static func json(_ status: ServiceStatus) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(status) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
