internal import DecantConsole
internal import DecantReport

/// The status as plain lines, for files and pipes.
struct TopReport {
  let status: DaemonStatus

  init(_ status: DaemonStatus) { self.status = status }

  /// One line about the queue, then one for each running job.
  var lines: [String] {
    let jobs = status.jobs
    var summary =
      "decantd \(status.word): \(jobs?.running ?? 0) running, \(jobs?.queued ?? 0) queued, "
      + "\(jobs?.waiting ?? 0) waiting, \(jobs?.blocked ?? 0) blocked, \(jobs?.done ?? 0) done, "
      + "\(jobs?.failed ?? 0) failed"
    if let left = status.queue?.etaSeconds { summary += ", about \(DurationText.of(left)) left" }
    return [summary] + (status.running ?? []).map { line(JobWords(job: $0)) }
  }

  private func line(_ words: JobWords) -> String {
    var parts = ["\(PlainText.of(words.job.job)) \(words.store): \(words.percent) %"]
    if let step = words.step { parts.append(step) }
    if let pass = words.pass { parts.append("\(pass) (\(words.passPercent) %)") }
    parts.append(words.work)
    if !words.numbers.isEmpty { parts.append(words.numbers) }
    if let left = words.left { parts.append("about \(left) left") }
    return parts.joined(separator: ", ")
  }
}
