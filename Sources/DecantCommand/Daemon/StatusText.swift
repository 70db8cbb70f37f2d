internal import DecantConsole
internal import DecantModel
internal import DecantReport

/// The output of `decant status` for people.
struct StatusText {
  /// The largest number of entries in a list; `--json` has more.
  private static let most = 10
  private static let bar = 10

  let status: DaemonStatus
  let width: Int
  /// Whether a folder certainly doesn't exist any more; false if this user can't tell.
  private let isGone: (String) -> Bool

  init(_ status: DaemonStatus, width: Int, isGone: @escaping (String) -> Bool = { _ in false }) {
    self.status = status
    self.width = width
    self.isGone = isGone
  }

  var lines: [String] {
    var lines = head
    lines += section("Running", status.running ?? [], running)
    lines += section("Waiting", status.waiting ?? [], { waiting($0, isAlone: false) }, of: status.jobs?.waiting)
    lines += section("Queued", status.queued ?? [], queued, of: status.jobs?.queued)
    lines += section("Blocked in incoming", blockedDrops, blocked, of: status.jobs?.blocked)
    lines += section("Families with trouble", status.families ?? [], family)
    lines += section("Last results", status.results ?? [], result, isComplete: true)
    return lines
  }

  /// The lines about a job or a drop; `nil` if the daemon knows neither.
  func lines(of name: String) -> [String]? {
    if let latest = status.active(name)?.job {
      if let job = status.running?.first(where: { $0.job == latest }) { return running(job) }
      if let job = status.waiting?.first(where: { $0.job == latest }) { return waiting(job, isAlone: true) }
      if let job = status.queued?.first(where: { $0.job == latest }) { return queued(job) }
    }
    if let reasons = blockedDrops.first(where: { $0.first?.drop == name }) {
      return wrapped("This drop is in incoming and can't be taken:", indent: 2) + blocked(reasons)
    }
    if let job = status.results?.first(where: { $0.job == name || $0.drop == name }) {
      let lines = result(job, isWhole: true)
      guard let folder = job.folder, isGone(folder) else { return lines }
      return wrapped(
        job.place == "failed"
          ? "The refused store has left “failed”: it was dropped again, or its folder was removed. Its last result was:"
          : "The folder of the result was moved or removed. The result was:",
        indent: 2) + lines
    }
    return nil
  }

  private var head: [String] {
    let uptime = status.uptimeSeconds.map { ", up \(DurationText.of($0))" } ?? ""
    var lines = ["decantd \(PlainText.of(status.version)) is \(status.word)\(uptime)"]
    let families = status.families ?? []
    for check in status.checks ?? [] where !check.ok || check.warning == true {
      // The families have a section of their own, so this line only counts them.
      let message =
        check.name == "families" && !families.isEmpty
        ? "\(counted(families.count, "family has", "families have")) trouble; see below" : check.message
      lines += wrapped("[\(check.ok ? "!" : "-")] \(check.name): \(message)", indent: 4)
    }
    if let spool = status.spool {
      let free = status.freeBytes.map { ", \(Quantity.bytes($0)) free" } ?? ""
      lines += wrapped("Spool: \(spool)\(free)", indent: 0)
    }
    if let jobs = status.jobs {
      let counts = [
        (jobs.running, "running"), (jobs.queued, "queued"), (jobs.waiting, "waiting"),
        (jobs.blocked, "blocked"),
      ].map { "\(grouped($0 ?? 0)) \($1)" }
      lines += wrapped(
        "Jobs: \(counts.joined(separator: ", ")); \(grouped(jobs.done ?? 0)) in done, "
          + "\(grouped(jobs.failed ?? 0)) in failed", indent: 0)
    }
    if let workers = status.workers {
      let nice = workers.nice.flatMap { $0 > 0 ? ", nice \($0)" : nil } ?? ""
      let disk =
        workers.ioPriority.flatMap { $0 != "normal" ? ", disk priority \(PlainText.of($0))" : nil } ?? ""
      lines.append("Workers: \(workers.busy ?? 0) of \(workers.configured ?? 0) busy\(nice)\(disk)")
    }
    if let left = status.queue?.etaSeconds {
      let bytes = status.queue?.bytes ?? 0
      let size = bytes == 0 ? "empty" : "\(Quantity.bytes(bytes)) queued"
      lines += wrapped("Queue: \(size), all jobs done in \(Quantity.estimate(left))", indent: 0)
    }
    return lines
  }

  /// - Parameters:
  ///   - count: The full number of entries, if the daemon's list may be incomplete.
  ///   - isComplete: Whether to leave out the line with the number of further entries.
  private func section<Entry>(
    _ title: String, _ entries: [Entry], _ text: (Entry) -> [String], of count: Int? = nil,
    isComplete: Bool = false
  ) -> [String] {
    guard !entries.isEmpty else { return [] }
    var lines = ["", "\(title):"]
    for entry in entries.prefix(Self.most) { lines += text(entry).map { "  " + $0 } }
    let more = max(entries.count, count ?? 0) - min(entries.count, Self.most)
    if more > 0, !isComplete { lines.append("  and \(grouped(more)) more") }
    return lines
  }

  private func running(_ job: DaemonStatus.Running) -> [String] {
    let words = JobWords(job: job)
    let left = words.left.map { "  about \($0) left" } ?? ""
    let tail = "  \(JobWords.bar(words.percent, length: Self.bar))\(left)"
    let room = width - 2 - DisplayWidth.columns(of: tail)
    // On a narrow screen the bar has a line of its own.
    var lines =
      room < 16
      ? [TextWrap.shortenedStart(words.store, to: max(1, width - 2)), TextWrap.shortened(tail, to: width - 2)]
      : [TextWrap.shortenedStart(words.store, to: room) + tail]
    for line in [words.origin, words.step, words.pass, words.work, words.numbers].compactMap({ $0 })
    where !line.isEmpty { lines += wrapped("  " + line, indent: 2) }
    return lines
  }

  /// - Parameter isAlone: Whether only this job is shown, without the section about families.
  private func waiting(_ job: DaemonStatus.Waiting, isAlone: Bool) -> [String] {
    let until = job.until.map { " until \(Self.moment($0))" } ?? ""
    let title = "\(job.store) (job \(job.job)) waits: \(job.cause ?? "unknown cause")\(until)"
    if !isAlone, let message = job.message, !message.isEmpty,
      let family = status.families?.first(where: { $0.message.hasSuffix(message) })
    {
      return entry("\(title), for \(name(of: family))", nil)
    }
    return entry(title, job.message)
  }

  private func name(of family: DaemonStatus.Family) -> String {
    family.family.isEmpty ? "an unknown family" : "the family “\(family.family)”"
  }

  private func queued(_ job: DaemonStatus.Queued) -> [String] {
    let size = job.bytes.map { ", \(Quantity.bytes($0))" } ?? ""
    let priority = job.priority.flatMap { $0 == 0 ? nil : ", priority \($0)" } ?? ""
    return entry("\(job.store) (job \(job.job)) is queued\(size)\(priority)", nil)
  }

  /// The reasons why drops can't be taken, grouped by drop.
  ///
  /// The daemon's list has an entry for each reason, but `jobs.blocked` counts drops.
  private var blockedDrops: [[DaemonStatus.Blocked]] {
    var drops: [[DaemonStatus.Blocked]] = []
    for reason in status.blocked ?? [] {
      if drops.last?.first?.drop.utf8.elementsEqual(reason.drop.utf8) == true {
        drops[drops.count - 1].append(reason)
      } else {
        drops.append([reason])
      }
    }
    return drops
  }

  private func blocked(_ reasons: [DaemonStatus.Blocked]) -> [String] {
    var lines = entry(reasons.first?.drop ?? "", nil)
    for reason in reasons {
      lines += wrapped("  " + reason.message, indent: 2)
      // A command has to stay on one line, so that it can be copied.
      if let command = reason.command, !command.isEmpty {
        lines.append("  Fix it with: \(PlainText.of(command))")
      }
    }
    return lines
  }

  private func family(_ family: DaemonStatus.Family) -> [String] {
    entry(family.family.isEmpty ? "an unknown family" : "“\(family.family)”", family.message)
  }

  private func result(_ job: DaemonStatus.Result) -> [String] { result(job, isWhole: false) }

  private func result(_ job: DaemonStatus.Result, isWhole: Bool) -> [String] {
    let when = job.ended.map { Self.moment($0) + " " } ?? ""
    let drop = job.drop ?? job.store
    let store = drop == job.store ? "" : "\(job.store), "
    let name = "\(when)\(job.place): \(drop) (\(store)job \(job.job))"
    guard job.place == "done" else {
      let reason = [job.reason, job.message].compactMap { $0 }
      var lines = entry(name, reason.isEmpty ? "reason.json has the reason" : reason.joined(separator: ": "))
      if isWhole, let advice = job.advice { lines += wrapped("  " + advice, indent: 2) }
      return lines + (isWhole ? folder(job) : [])
    }
    var parts: [String] = []
    if job.result == "alreadyCurrent" {
      parts.append("unchanged, the store has the target version already")
    } else if let from = job.from, let to = job.to {
      parts.append("“\(from)” to “\(to)”")
    }
    if let rows = job.rows {
      let sum = MigrationReport.EntityRows(
        entityMapping: "", source: 0, made: rows, withoutValue: job.withoutValue ?? 0,
        filtered: job.filtered ?? 0, refused: job.refused ?? 0, leftOut: job.leftOut ?? 0)
      parts += sum.outcomes.map { "\(grouped($0.count)) \($0.word)" }
    }
    if let seconds = job.seconds { parts.append(DurationText.of(seconds)) }
    if let losses = job.losses, losses > 0 {
      let values = counted(job.lostValues ?? 0, "value or object", "values and objects")
      parts.append("\(counted(losses, "loss", "losses")) (\(values))")
    }
    if let warnings = job.warnings, warnings > 0 { parts.append(counted(warnings, "warning")) }
    return entry(name, parts.isEmpty ? nil : parts.joined(separator: ", ")) + (isWhole ? folder(job) : [])
  }

  private func folder(_ job: DaemonStatus.Result) -> [String] {
    job.folder.map { ["  " + PlainText.of($0)] } ?? []
  }

  private func entry(_ title: String, _ text: String?) -> [String] {
    wrapped(title, indent: 2) + (text.map { $0.isEmpty ? [] : wrapped("  " + $0, indent: 2) } ?? [])
  }

  /// - Parameter indent: Columns before each line after the first. The first line begins with the text's own spaces.
  private func wrapped(_ text: String, indent: Int) -> [String] {
    // A number and its unit stay together.
    let text = PlainText.of(text).replacing(/([0-9]) (s|min|h|KiB|MiB|GiB|TiB)\b/) { "\($0.1)\u{a0}\($0.2)" }
    let lead = String(text.prefix { $0 == " " })
    let body = TextWrap.wrap(
      String(text.dropFirst(lead.count)), width: width - 2, indent: indent, first: lead.count)
    return (lead + body).split(separator: "\n").map(String.init)
  }

  /// `2026-11-26 03:47:52Z` for `2026-11-26T03:47:52.123Z`.
  private static func moment(_ text: String) -> String {
    let short = text.prefix(19)
    return short.count == 19 ? short.replacing("T", with: " ") + "Z" : text
  }
}
