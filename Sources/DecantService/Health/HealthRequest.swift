package struct HealthRequest: Sendable, Hashable {
  package var method: String
  package var path: String
  package var isVerbose: Bool
  /// Whether a pause stops running jobs.
  package var stopsJobs: Bool
  /// Whether the client is the daemon's user or root, and so may change what the daemon does.
  package var mayChange: Bool

  package init(
    method: String = "GET", path: String, isVerbose: Bool = false, stopsJobs: Bool = false,
    mayChange: Bool = false
  ) {
    self.method = method
    self.path = path
    self.isVerbose = isVerbose
    self.stopsJobs = stopsJobs
    self.mayChange = mayChange
  }

  var order: DaemonOrder? { DaemonOrder(path: path, stopsJobs: stopsJobs) }
}
