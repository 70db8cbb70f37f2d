import DecantReport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("The metrics")
struct MetricsTests {
  private static let rules = Repository.root.appendingPathComponent("config/decant.rules.yml")

  /// A status in which each metric has a sample.
  private static var full: ServiceStatus {
    var status = ServiceStatus()
    status.state = .running
    status.checks = [.init(name: "spool", ok: true, message: "fine")]
    status.families = [.init(family: "a\"b\\c\nd", waiting: 2, message: "m")]
    (status.freeBytes, status.sizeBytes, status.freeFiles) = (1 << 20, 1 << 30, 77)
    status.jobs.blocked = 101
    status.waitingByCause = ["space": 3]
    status.queue = .init(bytes: 5, etaSeconds: 1.5, oldestSeconds: 60.5)
    status.totals.objects = .init(
      source: 21, made: 1, shared: 2, withoutValue: 3, filtered: 4, refused: 5, leftOut: 6)
    var record = JobRecord(
      id: "j", arrival: 1, state: .delivering, drop: "N.sqlite", form: .loose, members: ["N.sqlite"],
      store: "N.sqlite", claimedAt: 1000)
    record.bytes = 700
    status.totals.take(record, at: 1004)
    record.state = .refusing
    status.totals.take(record, at: 101_000)
    return status
  }

  /// The names and types of metrics that the text states.
  private static func types(_ text: String) -> [String: String] {
    var types: [String: String] = [:]
    for match in text.matches(of: /(?m)^# TYPE ([a-z_]+) ([a-z]+)$/) {
      types[String(match.1)] = String(match.2)
    }
    return types
  }

  @Test("all metrics that an administrator needs exist, and decantd(8) names each of them")
  func names() throws {
    let types = Self.types(MetricsText.of(Self.full))
    #expect(
      types == [
        "decant_build_info": "gauge", "decant_uptime_seconds": "gauge", "decant_ready": "gauge",
        "decant_paused": "gauge", "decant_check_state": "gauge", "decant_family_waiting_jobs": "gauge",
        "decant_workers": "gauge", "decant_spool_free_bytes": "gauge", "decant_spool_size_bytes": "gauge",
        "decant_spool_free_files": "gauge", "decant_jobs": "gauge", "decant_incoming_blocked": "gauge",
        "decant_waiting_jobs": "gauge",
        "decant_results": "gauge", "decant_queue_bytes": "gauge", "decant_queue_eta_seconds": "gauge",
        "decant_oldest_job_age_seconds": "gauge", "decant_jobs_claimed_total": "counter",
        "decant_jobs_finished_total": "counter", "decant_job_bytes_total": "counter",
        "decant_job_retries_total": "counter", "decant_worker_deaths_total": "counter",
        "decant_program_failures_total": "counter", "decant_rows_total": "counter",
        "decant_losses_total": "counter", "decant_lost_values_total": "counter",
        "decant_job_duration_seconds": "histogram", "decant_migration_duration_seconds": "histogram",
        "decant_last_success_timestamp_seconds": "gauge",
      ])
    let page = try Repository.text("man/decantd.8")
    #expect(Set(page.matches(of: /decant_[a-z_]+/).map { String($0.0) }) == Set(types.keys))
  }

  @Test("the samples have the numbers of the status, and each belongs to a name with help and type")
  func samples() {
    let text = MetricsText.of(Self.full)
    #expect(text.hasSuffix("\n"))
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let name = line.prefix { $0 != "{" && $0 != " " }
      let base = name.replacing(/_(bucket|sum|count)$/, with: "")
      #expect(text.contains("# HELP \(base) ") && text.contains("# TYPE \(base) "), "\(line)")
      #expect(Double(line.split(separator: " ").last ?? "") != nil, "\(line)")
    }
    for sample in [
      "decant_waiting_jobs{cause=\"space\"} 3", "decant_waiting_jobs{cause=\"retry\"} 0",
      "decant_jobs{state=\"queued\"} 0", "decant_incoming_blocked 101",
      "decant_family_waiting_jobs{family=\"a\\\"b\\\\c\\nd\"} 2",
      "decant_queue_bytes 5", "decant_queue_eta_seconds 1.5", "decant_oldest_job_age_seconds 60.5",
      "decant_rows_total{outcome=\"made\"} 1", "decant_rows_total{outcome=\"shared\"} 2",
      "decant_rows_total{outcome=\"without_value\"} 3", "decant_rows_total{outcome=\"filtered\"} 4",
      "decant_rows_total{outcome=\"refused\"} 5", "decant_rows_total{outcome=\"left_out\"} 6",
      "decant_job_bytes_total{result=\"done\"} 700", "decant_job_bytes_total{result=\"failed\"} 700",
      "decant_last_success_timestamp_seconds 1004.0", "decant_spool_size_bytes 1073741824",
      "decant_job_duration_seconds_bucket{result=\"done\",le=\"1\"} 0",
      "decant_job_duration_seconds_bucket{result=\"done\",le=\"5\"} 1",
      "decant_job_duration_seconds_bucket{result=\"done\",le=\"+Inf\"} 1",
      "decant_job_duration_seconds_sum{result=\"done\"} 4.0",
      "decant_job_duration_seconds_count{result=\"done\"} 1",
      "decant_job_duration_seconds_bucket{result=\"failed\",le=\"86400\"} 0",
      "decant_job_duration_seconds_bucket{result=\"failed\",le=\"+Inf\"} 1",
      "decant_migration_duration_seconds_bucket{le=\"0.1\"} 0",
    ] { #expect(text.contains("\n\(sample)\n"), "\(sample)") }
    // An unknown number has no sample.
    let empty = MetricsText.of(ServiceStatus())
    #expect(!empty.contains("\ndecant_queue_eta_seconds ") && !empty.contains("\ndecant_spool_free_files "))
    #expect(empty.contains("\ndecant_oldest_job_age_seconds 0.0\n"))
  }

  @Test("a daemon's metrics count a delivered store and a refused store")
  func daemon() throws {
    let fixture = try DaemonFixture()
    let daemon = try fixture.start()
    try fixture.put("migrate", "A.sqlite")
    try fixture.put("refuse", "B.sqlite")
    #expect(try fixture.turn { try fixture.done().count == 1 && fixture.failed().count == 1 })
    try fixture.put("hang", "C.sqlite")
    #expect(fixture.turn { !daemon.dispatcher.running.isEmpty })
    daemon.publish(at: fixture.now)
    let status = daemon.health.status
    #expect(status.totals.deliveredSeconds.cumulative.last == 1)
    #expect(status.totals.refusedSeconds.cumulative.last == 1)
    #expect(status.totals.migrationSeconds.seconds == 0.5)
    #expect(status.totals.deliveredBytes == 8 && status.totals.refusedBytes == 7)
    #expect(abs((status.totals.lastDelivered ?? 0) - Date().timeIntervalSince1970) < 120)
    #expect(status.queue.oldestSeconds != nil && status.sizeBytes >= status.freeBytes)
  }

  @Test(
    "promtool reports nothing about the metrics and the shipped alerts",
    .enabled(if: Tool.path("promtool") != nil, "Skipped: promtool isn't there (Debian package prometheus)."))
  func promtool() throws {
    let promtool = try #require(Tool.path("promtool"))
    for status in [Self.full, ServiceStatus()] {
      let metrics = try Tool.run(promtool, ["check", "metrics"], input: MetricsText.of(status))
      #expect(metrics.code == 0 && metrics.output.isEmpty, "\(metrics)")
    }
    #expect(try Tool.run(promtool, ["check", "metrics"], input: "a_total{x=\"1\"} 1\n").code != 0)
    let rules = try Tool.run(promtool, ["check", "rules", Self.rules.path])
    #expect(rules.code == 0 && rules.output.contains("SUCCESS"), "\(rules)")
  }

  @Test("the shipped alerts use only metrics that exist")
  func alerts() throws {
    let types = Self.types(MetricsText.of(Self.full))
    let rules = try String(contentsOf: Self.rules, encoding: .utf8)
    let used = Set(rules.matches(of: /decant_[a-z_]+/).map { String($0.0.replacing(/_bucket$/, with: "")) })
    #expect(used.count > 10)
    #expect(used.subtracting(types.keys).isEmpty, "\(used.subtracting(types.keys))")
  }
}
