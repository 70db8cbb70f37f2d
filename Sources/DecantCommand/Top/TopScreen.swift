internal import DecantConsole
internal import DecantModel
internal import DecantReport

/// The screen of `decant top`; it depends only on the status, the size and the failure of the last request.
struct TopScreen {
  /// How much of each running job is shown, so that all jobs find room.
  private enum Detail: CaseIterable {
    case whole
    case bars
    case line
  }

  private static let footer = "q quits"

  let status: DaemonStatus
  let width: Int
  let height: Int
  /// Why the status is old; `nil` if it is new.
  let trouble: String?

  init(_ status: DaemonStatus, width: Int, height: Int, trouble: String? = nil) {
    self.status = status
    self.width = max(1, width)
    self.height = max(1, height)
    self.trouble = trouble
  }

  /// The lines; not more than the screen has, and none wider than the screen.
  var lines: [TopLine] {
    let head = head
    // There is an empty line before the jobs, and the last line is the footer.
    let room = max(0, height - head.count - 2)
    let jobs = jobs(room: room)
    var lines = head + (jobs.isEmpty ? [] : [TopLine("")] + jobs)
    lines += results(room: height - lines.count - 1)
    lines = Array(lines.prefix(max(0, height - 1)))
    lines.append(TopLine(Self.footer, .quiet))
    return lines.map { TopLine(TextWrap.shortened($0.text, to: width), $0.look) }
  }

  private var head: [TopLine] {
    let uptime = status.uptimeSeconds.map { ", up \(DurationText.of($0))" } ?? ""
    var lines = [
      TopLine(
        "decantd \(PlainText.of(status.version)), \(status.word)\(uptime)", status.isReady ? .title : .bad)
    ]
    if let trouble { lines.append(TopLine("[-] \(PlainText.of(trouble))", .bad)) }
    let jobs = status.jobs
    func count(_ number: Int?, _ word: String) -> String { "\(grouped(number ?? 0)) \(word)" }
    lines.append(
      TopLine(
        [
          count(jobs?.running, "running"), count(jobs?.queued, "queued"), count(jobs?.waiting, "waiting"),
          count(jobs?.blocked, "blocked"), count(jobs?.done, "done"), count(jobs?.failed, "failed"),
        ].joined(separator: ", ")))
    if let left = status.queue?.etaSeconds {
      lines.append(TopLine("all jobs done in \(Quantity.estimate(left))"))
    }
    for check in status.checks ?? [] where !check.ok || check.warning == true {
      let text = PlainText.of("\(check.name): \(check.message)")
      lines.append(TopLine("[\(check.ok ? "!" : "-")] \(text)", check.ok ? .plain : .bad))
    }
    return lines
  }

  /// The running jobs, all in the same detail.
  private func jobs(room: Int) -> [TopLine] {
    let running = status.running ?? []
    for detail in Detail.allCases {
      let lines = running.flatMap { job(JobWords(job: $0), detail) }
      if lines.count <= room { return lines }
    }
    guard room > 1 else { return [] }
    let shown = running.prefix(room - 1)
    return shown.flatMap { job(JobWords(job: $0), .line) }
      + [TopLine("and \(grouped(running.count - shown.count)) more", .quiet)]
  }

  private func job(_ words: JobWords, _ detail: Detail) -> [TopLine] {
    let whole = bar(TextWrap.shortenedStart(words.store, to: labelWidth), words.percent, words.left)
    guard detail != .line else { return [TopLine(whole)] }
    var lines = [TopLine(whole, .title)] + passes(words)
    if detail == .whole {
      let texts = [words.origin, words.step, words.work, words.numbers].compactMap { $0 }
      lines += texts.filter { !$0.isEmpty }.flatMap { text in
        // Wrap long lines: the memory comes last, and must not be cut off.
        TextWrap.wrap(text, width: max(20, width - 2), indent: 2).split(separator: "\n").map {
          TopLine("  " + $0.drop { $0 == " " })
        }
      }
    }
    return lines
  }

  /// A bar for each pass of the step; a step with one pass or many passes has none.
  private func passes(_ words: JobWords) -> [TopLine] {
    guard let progress = words.progress, (2...9).contains(progress.passes) else { return [] }
    return (1...progress.passes).map { number in
      let isCurrent = number == progress.pass
      let name = isCurrent && !progress.passName.isEmpty ? " " + PlainText.of(progress.passName) : ""
      let percent = isCurrent ? words.passPercent : number < progress.pass ? 100 : 0
      return TopLine(
        bar("  pass \(number)\(name)", percent, isCurrent ? words.passLeft : nil),
        number < progress.pass ? .good : .plain)
    }
  }

  private var labelWidth: Int { max(8, min(30, width / 3)) }

  private func bar(_ label: String, _ percent: Int, _ left: String?) -> String {
    let label = DisplayWidth.pad(TextWrap.shortened(label, to: labelWidth), to: labelWidth)
    // Brackets, percent and the longest time need 30 columns; a narrow screen shows the start of the time.
    let bar = JobWords.bar(percent, length: max(5, min(40, width - labelWidth - 30)))
    return "\(label) \(bar)" + (left.map { "  \($0) left" } ?? "")
  }

  private func results(room: Int) -> [TopLine] {
    let results = status.results ?? []
    guard room > 2, !results.isEmpty else { return [] }
    return [TopLine(""), TopLine("Last results:", .title)]
      + results.prefix(min(10, room - 2)).map { result in
        let isDone = result.place == "done"
        let name = PlainText.of(result.drop ?? result.store)
        let tail =
          isDone
          ? result.seconds.map { "  \(DurationText.of($0))" } ?? ""
          : "  \(PlainText.of(result.reason ?? ""))  \(PlainText.of(result.message ?? ""))"
        return TopLine("  \(isDone ? "done  " : "failed")  \(name)\(tail)", isDone ? .plain : .bad)
      }
  }
}
