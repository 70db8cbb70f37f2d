/// The status in Prometheus' text format 0.0.4; no label contains a path, a store or a job.
struct MetricsText {
  private(set) var text = ""

  static func of(_ status: ServiceStatus) -> String {
    var metrics = MetricsText()
    metrics.add(service: status)
    metrics.add(jobs: status)
    metrics.add(totals: status.totals)
    return metrics.text
  }

  private mutating func add(service status: ServiceStatus) {
    gauge("build_info", "Decant's version.", [("{version=\"\(status.version)\"}", "1")])
    gauge("uptime_seconds", "Seconds since the daemon's start.", status.uptimeSeconds)
    gauge("ready", "1 if drops are taken and jobs can go on.", status.isReady ? 1 : 0)
    gauge("paused", "1 while an administrator has paused the daemon.", status.pause == nil ? 0 : 1)
    gauge(
      "check_state", "The checks of /readyz: 0 is good, 1 a warning, 2 means that the daemon can't go on.",
      status.checks.map { check in
        ("{check=\"\(check.name)\"}", !check.ok ? "2" : check.warning ? "1" : "0")
      })
    gauge(
      "family_waiting_jobs", "Jobs that wait for a family with a problem.",
      status.families.map { ("{family=\"\(Self.label($0.family))\"}", "\($0.waiting)") })
    gauge(
      "workers", "Worker processes by state.",
      [
        ("{state=\"busy\"}", "\(status.workers.busy)"),
        ("{state=\"idle\"}", "\(max(0, status.workers.alive - status.workers.busy))"),
      ])
    gauge("spool_free_bytes", "Free space on the spool's file system.", status.freeBytes)
    gauge("spool_size_bytes", "Size of the spool's file system.", status.sizeBytes)
    gauge(
      "spool_free_files",
      "Files that can still be created on the spool's file system; no sample if it has no limit.",
      status.freeFiles.map { [("", "\($0)")] } ?? [])
  }

  private mutating func add(jobs status: ServiceStatus) {
    gauge(
      "jobs", "Jobs in work by state.",
      [
        ("{state=\"queued\"}", "\(status.jobs.queued)"), ("{state=\"running\"}", "\(status.jobs.running)"),
        ("{state=\"waiting\"}", "\(status.jobs.waiting)"),
      ])
    gauge(
      "waiting_jobs", "Waiting jobs by cause.",
      ["retry", "catalogue", "space", "departure"].map {
        ("{cause=\"\($0)\"}", "\(status.waitingByCause[$0] ?? 0)")
      })
    gauge("incoming_blocked", "Drops that can't be taken.", status.jobs.blocked)
    gauge(
      "results", "Folders in done and failed.",
      [
        ("{result=\"done\"}", "\(status.jobs.done)"), ("{result=\"failed\"}", "\(status.jobs.failed)"),
      ])
    gauge("queue_bytes", "Bytes of the stores that wait for a worker.", status.queue.bytes)
    gauge(
      "queue_eta_seconds",
      "Estimated seconds until all running and queued jobs have ended; no sample if that isn't known.",
      status.queue.etaSeconds.map { [("", "\($0)")] } ?? [])
    gauge(
      "oldest_job_age_seconds", "Seconds since the oldest job in work was taken; 0 without jobs.",
      status.queue.oldestSeconds ?? 0)
  }

  private mutating func add(totals: ServiceStatus.Totals) {
    counter("jobs_claimed_total", "Drops taken since the start.", totals.claimed)
    counter(
      "jobs_finished_total", "Jobs that left work since the start.",
      [("{result=\"done\"}", "\(totals.delivered)"), ("{result=\"failed\"}", "\(totals.refused)")])
    counter(
      "job_bytes_total", "Bytes of the stores of jobs that left work.",
      [("{result=\"done\"}", "\(totals.deliveredBytes)"), ("{result=\"failed\"}", "\(totals.refusedBytes)")])
    counter("job_retries_total", "Times a job was postponed.", totals.retried)
    counter("worker_deaths_total", "Workers that died during a job.", totals.workerDeaths)
    counter("program_failures_total", "Runs of onDone and onFailed that have failed.", totals.failedPrograms)
    let rows = totals.objects
    counter(
      "rows_total", "Source rows of delivered stores by outcome, in the last step of each store.",
      [
        ("made", rows.made), ("shared", rows.shared), ("without_value", rows.withoutValue),
        ("filtered", rows.filtered), ("refused", rows.refused), ("left_out", rows.leftOut),
      ].map { ("{outcome=\"\($0.0)\"}", "\($0.1)") })
    counter("losses_total", "Lost properties and entities of delivered stores.", totals.losses)
    counter("lost_values_total", "Lost values and objects of delivered stores.", totals.lostValues)
    histogram(
      "job_duration_seconds", "Seconds from the taking of a drop until its job left work.",
      [("result=\"done\",", totals.deliveredSeconds), ("result=\"failed\",", totals.refusedSeconds)])
    histogram(
      "migration_duration_seconds", "Seconds of the last run of each migrated store.",
      [("", totals.migrationSeconds)])
    gauge(
      "last_success_timestamp_seconds",
      "When the last store came to done, in seconds since 1970; 0 if none has come since the start.",
      totals.lastDelivered ?? 0)
  }

  // MARK: The format

  private mutating func gauge(_ name: String, _ help: String, _ value: some CustomStringConvertible) {
    gauge(name, help, [("", value.description)])
  }

  private mutating func gauge(_ name: String, _ help: String, _ samples: [(String, String)]) {
    add(name, "gauge", help, samples)
  }

  private mutating func counter(_ name: String, _ help: String, _ value: Int) {
    counter(name, help, [("", "\(value)")])
  }

  private mutating func counter(_ name: String, _ help: String, _ samples: [(String, String)]) {
    add(name, "counter", help, samples)
  }

  /// - Parameter groups: For each group the labels, with a comma at their end, and the durations.
  private mutating func histogram(_ name: String, _ help: String, _ groups: [(String, Durations)]) {
    var samples: [(String, String)] = []
    for (labels, durations) in groups {
      let counts = durations.cumulative
      let limits = durations.upTo.map { $0.rounded() == $0 ? "\(Int($0))" : "\($0)" } + ["+Inf"]
      for (limit, count) in zip(limits, counts) {
        samples.append(("_bucket{\(labels)le=\"\(limit)\"}", "\(count)"))
      }
      let own = labels.isEmpty ? "" : "{\(labels.dropLast())}"
      samples.append(("_sum" + own, "\(durations.seconds)"))
      samples.append(("_count" + own, "\(counts.last ?? 0)"))
    }
    add(name, "histogram", help, samples)
  }

  private mutating func add(_ name: String, _ type: String, _ help: String, _ samples: [(String, String)]) {
    text += "# HELP decant_\(name) \(help)\n# TYPE decant_\(name) \(type)\n"
    for (labels, value) in samples { text += "decant_\(name)\(labels) \(value)\n" }
  }

  /// A label's value: the text format escapes backslash, quote and newline.
  private static func label(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
