/// A request to the health endpoint.
package struct HealthRequest: Sendable, Hashable {
  package var method: String
  package var path: String
  package var isVerbose: Bool
  /// Whether the client is the daemon's user or root, and so may change what the daemon does.
  package var mayChange: Bool

  package init(method: String = "GET", path: String, isVerbose: Bool = false, mayChange: Bool = false) {
    self.method = method
    self.path = path
    self.isVerbose = isVerbose
    self.mayChange = mayChange
  }

  /// The job of a path `/jobs/JOB/cancel`; `nil` for another path.
  var cancelledJob: String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].isEmpty, parts[1] == "jobs", parts[3] == "cancel",
      !parts[2].isEmpty, parts[2].utf8.count <= 64,
      parts[2].utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x54 || $0 == 0x2D })
    else { return nil }
    return String(parts[2])
  }
}
