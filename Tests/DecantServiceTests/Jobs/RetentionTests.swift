import DecantTestSupport
import FileNames
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

/// Old results in `done/` and `failed/`.
@Suite("Retention")
struct RetentionTests {
  private static let job = "20261120T140000-00000"

  let folder: TemporaryFolder
  let spool: Spool

  init() throws {
    folder = try TemporaryFolder.short()
    spool = try Spool(path: folder.path("spool"))
  }

  /// Writes a job's folder and makes it that many days old.
  private func make(
    _ name: String, in place: String = "done", job: Int = 1, drop: String? = nil, days: Double = 100,
    result: String = "migrated", files: [String: String] = [:]
  ) throws {
    let paper =
      #"{"job":"\#(Self.job)\#(job)","drop":"\#(drop ?? name)","file":"Notas.sqlite","result":"\#(result)"}"#
    let place = "spool/\(place)/\(name)"
    var files = files
    files[place.contains("/done/") ? "report.json" : "reason.json"] = paper
    files["report.txt"] = "text"
    if result == "migrated" { files["original/Notas.sqlite"] = String(repeating: "x", count: 8192) }
    for (name, text) in files { try folder.write(text, to: "\(place)/\(name)") }
    try age(place, days)
  }

  private func age(_ name: String, _ days: Double) throws {
    let time = Date().addingTimeInterval(-days * 86_400)
    for name in [name + "/report.json", name + "/reason.json", name] {
      try? FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: folder.path(name))
    }
  }

  private func events(_ rules: RetentionRules) -> [RetentionRound.Event] {
    var events: [RetentionRound.Event] = []
    RetentionRound(spool: spool, rules: rules, now: Date().timeIntervalSince1970)
      .run(goesOn: { true }, report: { events.append($0) })
    return events
  }

  private func names(_ place: String) throws -> [String] { try folder.names("spool/\(place)") }

  @Test("without a rule nothing is removed; a rule removes only old results, and only in its own folder")
  func age() throws {
    try make("Old")
    try make("New", job: 2, days: 9)
    try make("Future", job: 3, days: -400)
    try make(Self.job + "4", in: "failed", job: 4)
    try make(Self.job + "5", in: "failed", job: 5, days: 9)
    #expect(RetentionRules().keepsAll && events(RetentionRules()).isEmpty)
    #expect(events(RetentionRules(doneDays: 10)).count == 1)
    #expect(try names("done") == ["Future", "New"] && names("failed").count == 2)
    #expect(events(RetentionRules(failedDays: 10)).count == 1)
    #expect(try names("failed") == [Self.job + "5"])
    // Results of the last hour are never removed.
    try make("Fresh", job: 6, days: 0.01)
    #expect(events(RetentionRules(doneDays: 0.001)).count == 1)
    #expect(try names("done") == ["Fresh", "Future"])
  }

  @Test(
    "a result that another program removes during the round counts; no newer result is removed instead")
  func removedMeanwhile() throws {
    for day in 1...4 { try make("Day\(day)", job: day, days: Double(day)) }
    let rules = RetentionRules(doneBytes: Int(try spool.done.takenBytes("Day1")) * 2)
    var (asked, events): (Int, [RetentionRound.Event]) = (0, [])
    RetentionRound(spool: spool, rules: rules, now: Date().timeIntervalSince1970).run(
      goesOn: {
        asked += 1
        if asked == 5 { try? FileManager.default.removeItem(atPath: folder.path("spool/done/Day4")) }
        return true
      }, report: { events.append($0) })
    #expect(try names("done") == ["Day1", "Day2"])
    #expect(events.count == 1, "\(events)")
  }

  @Test("if the results have too many bytes, the oldest are removed; results of the last hour stay")
  func size() throws {
    for day in 1...4 { try make("Day\(day)", job: day, days: Double(day)) }
    try make("Now", job: 5, days: 0)
    let one = try spool.done.takenBytes("Day1")
    #expect(events(RetentionRules(doneBytes: Int(one) * 3)).count == 2)
    #expect(try names("done") == ["Day1", "Day2", "Now"])
    #expect(events(RetentionRules(doneBytes: 1)).count == 2)
    #expect(try names("done") == ["Now"])
  }

  @Test(
    "a folder with only names of a delivery is removed: quarantine, associations, external data, siblings, texts"
  )
  func own() throws {
    try make("Notas~\(Self.job)1", job: 1, drop: "Notas")
    try make("Notas~\(Self.job)2~3", job: 2, drop: "Notas")
    try make(Self.job + "3~2", in: "failed", job: 3, drop: "Notas")
    try make(Self.job + "4~2~3", in: "failed", job: 4, drop: "Notas")
    try make("caf\u{65}\u{301}", job: 4, drop: "caf\u{65}\\\\xcc\\\\x81")
    try make(
      "Whole", job: 5,
      files: [
        "Notas.sqlite": "", "Notas.sqlite-wal": "", ".Notas_SUPPORT/_EXTERNAL_DATA/A": "", "report.html": "",
        "Notas.quarantine.sqlite": "", "Notas.quarantine-1.json": "", ".Notas.quarantine_SUPPORT/B": "",
        "Notas.quarantine-source.sqlite": "", "Notas.associations.sqlite": "",
      ])
    try make(
      "Same", job: 6, result: "alreadyCurrent",
      files: ["readme.txt": "", ".DS_Store": "", "report.txt~dropped": ""])
    #expect(events(RetentionRules(doneDays: 1, failedDays: 1)).count == 7)
    #expect(try names("done").isEmpty && names("failed").isEmpty)
  }

  @Test(
    "all else stays: links, files, foreign files and folders, wrong names, devices and names that aren't UTF-8"
  )
  func foreign() throws {
    try folder.write("mine", to: "outside/report.json")
    try make("Target", in: "../elsewhere")
    let done = folder.path("spool/done")
    try make("Foreign", job: 1, files: ["mine.txt": "mine"])
    try make("Alike", job: 1, files: ["Notas-mine.sqlite": "mine"])
    try make("Named", job: 1, files: ["Notas.quarantine-mine.sqlite": "mine"])
    try make("Misnamed", job: 2, drop: "Other")
    try make("Misnamed~\(Self.job)2~2", job: 2, drop: "Misnamed")
    try make("Misnamed~\(Self.job)2~100", job: 2, drop: "Misnamed")
    try make("Linked", job: 3)
    symlink("/etc/hostname", done + "/Linked/original/link")
    try make("Piped", job: 4)
    mkfifo(done + "/Piped/original/pipe", 0o600)
    try make("Bytes", job: 5)
    #expect(open(done + "/Bytes/original/", O_RDONLY) >= 0)
    let odd: [CChar] =
      (done + "/Bytes/original/").utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xFF), 0]
    close(open(odd, O_CREAT | O_WRONLY, 0o600))
    try make("NoJob", job: 6, files: [:])
    try folder.write(#"{"job":"../../x","drop":"NoJob"}"#, to: "spool/done/NoJob/report.json")
    try folder.write("{", to: "spool/done/Broken/report.json")
    try folder.makeFolder("spool/done/Empty")
    try folder.write("", to: "spool/done/file")
    symlink(folder.path("outside"), done + "/link")
    try folder.makeFolder("spool/done/PaperLink")
    symlink(folder.path("outside/report.json"), done + "/PaperLink/report.json")
    let wild: [CChar] = (done + "/").utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xFE), 0]
    mkdir(wild, 0o700)
    for name in try names("done") { try age("spool/done/\(name)", 100) }
    let before = try spool.done.names().sorted()
    let found = events(RetentionRules(doneDays: 1, doneBytes: 1))
    #expect(try spool.done.names().sorted() == before)
    #expect(found.count == before.count)
    for event in found {
      guard case .kept = event else {
        Issue.record("\(event)")
        continue
      }
    }
    #expect(try folder.text("outside/report.json") == "mine")
  }

  @Test(
    "the daemon removes old results and writes a line for each; a lack of space removes nothing")
  func daemon() throws {
    let fixture = try DaemonFixture { $0.minimumFreeBytes = .max }
    try fixture.put("migrate", "a.sqlite")
    try fixture.folder.makeFolder("spool/done/Mine")
    let daemon = try fixture.start()
    let end = fixture.now + 0.5
    #expect(fixture.turn { fixture.now > end })
    #expect(!daemon.dispatcher.queue.shortages.isEmpty)
    #expect(try fixture.done() == ["Mine"])

    let other = try DaemonFixture { $0.keepDoneDays = 30 }
    let papers = #"{"job":"20261120T140000-000001","drop":"Old","file":"a.sqlite","result":"migrated"}"#
    try other.folder.write(papers, to: "spool/done/Old/report.json")
    let time = [FileAttributeKey.modificationDate: Date().addingTimeInterval(-31 * 86_400)]
    for name in ["Old/report.json", "Old"] {
      try FileManager.default.setAttributes(time, ofItemAtPath: other.folder.path("spool/done/" + name))
    }
    try other.folder.makeFolder("spool/done/Mine")
    try other.start()
    #expect(
      try other.turn { try other.log().contains { $0.contains("event=removed job=20261120T140000-000001") } })
    #expect(try other.done() == ["Mine"])
    #expect(try other.journal().contains("Mine” is never removed, because it has no report.json of a job."))
  }
}
