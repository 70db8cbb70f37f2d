/// The status in Prometheus' text format 0.0.4; no label ever holds a path, a store or a job.
enum MetricsText {
  static func of(_ status: ServiceStatus) -> String {
    var text = ""
    func add(_ name: String, _ type: String, _ help: String, _ samples: [(String, String)]) {
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
      for (labels, value) in samples { text += "\(name)\(labels) \(value)\n" }
    }
    add("decant_build_info", "gauge", "Decant's version.", [("{version=\"\(status.version)\"}", "1")])
    add(
      "decant_uptime_seconds", "gauge", "Seconds since the daemon's start.", [("", "\(status.uptimeSeconds)")])
    add("decant_ready", "gauge", "1 if drops are taken now.", [("", status.isReady ? "1" : "0")])
    add(
      "decant_paused", "gauge", "1 while an administrator has paused the daemon.",
      [("", status.pause == nil ? "0" : "1")])
    add(
      "decant_check_state", "gauge",
      "The checks of /readyz: 0 is good, 1 a warning, 2 a reason to take no drops.",
      status.checks.map { check in
        ("{check=\"\(check.name)\"}", !check.ok ? "2" : check.warning ? "1" : "0")
      })
    add(
      "decant_family_waiting_jobs", "gauge", "Jobs that wait for a family with a problem.",
      status.families.map { ("{family=\"\(label($0.family))\"}", "\($0.waiting)") })
    add(
      "decant_jobs", "gauge", "Jobs in work by state.",
      [
        ("{state=\"queued\"}", "\(status.jobs.queued)"), ("{state=\"running\"}", "\(status.jobs.running)"),
        ("{state=\"waiting\"}", "\(status.jobs.waiting)"),
      ])
    add(
      "decant_jobs_claimed_total", "counter", "Drops taken since the start.", [("", "\(status.totals.claimed)")]
    )
    add(
      "decant_jobs_finished_total", "counter", "Jobs that left work since the start.",
      [
        ("{result=\"done\"}", "\(status.totals.delivered)"),
        ("{result=\"failed\"}", "\(status.totals.refused)"),
      ])
    add("decant_job_retries_total", "counter", "Times a job was postponed.", [("", "\(status.totals.retried)")])
    add(
      "decant_worker_deaths_total", "counter", "Workers that died during a job.",
      [("", "\(status.totals.workerDeaths)")])
    add(
      "decant_program_failures_total", "counter", "Runs of onDone and onFailed that have failed.",
      [("", "\(status.totals.failedPrograms)")])
    add(
      "decant_losses_total", "counter", "Lost properties and entities of delivered stores.",
      [("", "\(status.totals.losses)")])
    add(
      "decant_lost_values_total", "counter", "Lost values and objects of these.",
      [("", "\(status.totals.lostValues)")])
    add(
      "decant_workers", "gauge", "Worker processes by state.",
      [
        ("{state=\"busy\"}", "\(status.workers.busy)"),
        ("{state=\"idle\"}", "\(max(0, status.workers.alive - status.workers.busy))"),
      ])
    add("decant_incoming_blocked", "gauge", "Drops that can't be taken.", [("", "\(status.jobs.blocked)")])
    add(
      "decant_spool_free_bytes", "gauge", "Free space on the spool's file system.",
      [("", "\(status.freeBytes)")])
    return text
  }

  /// A label's value: the text format escapes backslash, quote and newline.
  private static func label(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
