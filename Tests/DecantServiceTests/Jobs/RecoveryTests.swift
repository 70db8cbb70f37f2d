import DecantMigration
import DecantReport
import DecantTestSupport
import Foundation
import Glibc
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("Recovery of the spool at a start")
struct RecoveryTests {
  @Test(
    "files that a worker has linked and moved stay, and the job is found again",
    arguments: ["output", "delivery"])
  func foundAtWork(place: String) throws {
    for form in [Drop.Form.loose, .folder] {
      let way = try SpoolWay(form)
      try way.claim()
      let job = try #require(try way.folder.names("spool/work").last)
      let external = "spool/work/\(job)/\(place)/.N_SUPPORT/_EXTERNAL_DATA"
      try way.folder.makeFolder(external)
      let original = way.folder.path("spool/work/\(job)/source/.N_SUPPORT/_EXTERNAL_DATA/A")
      #expect(link(original, way.folder.path(external + "/A")) == 0)
      try way.folder.write("put aside", to: "spool/work/\(job)/\(place)/N.quarantine.json")
      try way.folder.write("so far", to: "spool/work/\(job)/engine/checkpoint")
      let record = try #require(
        try Recovery(spool: way.spool).run(known: { _ in false }, at: 1_795_183_200).records.first)
      #expect(record.state == .queued)
      #expect(try way.folder.text("spool/work/\(job)/engine/checkpoint") == "so far")
      #expect(try way.folder.text("spool/work/\(job)/\(place)/N.quarantine.json") == "put aside")
      #expect(try way.folder.text("spool/work/\(job)/source/.N_SUPPORT/_EXTERNAL_DATA/A") == "data")
      // A run counts as ended only if its files are in the delivery.
      let jobFolder = try JobFolder(job, in: way.spool)
      #expect(try jobFolder.hasEndedRun(of: "N.sqlite") == (place == "delivery"))
    }
  }

  @Test("a drop with a file that has a name elsewhere is moved back, even if a worker had begun")
  func linkedElsewhere() throws {
    let way = try SpoolWay(.folder)
    try way.claim()
    let job = try #require(try way.folder.names("spool/work").last)
    let original = way.folder.path("spool/work/\(job)/source/.N_SUPPORT/_EXTERNAL_DATA/A")
    #expect(link(original, way.folder.path("elsewhere")) == 0)
    try way.folder.write("so far", to: "spool/work/\(job)/engine/checkpoint")
    let findings = try Recovery(spool: way.spool).run(known: { _ in false }, at: 1_795_183_200)
    #expect(findings.records.isEmpty && findings.failures.isEmpty)
    #expect(try way.places() == ["incoming/F/N.sqlite"])
    #expect(try way.folder.names("spool/work").filter { $0 != ".arrival" }.isEmpty)
  }

  @Test("a record whose names lead elsewhere, or whose numbers are impossible, is rebuilt from the files")
  func impossibleRecord() throws {
    let changes: [(inout JobRecord) -> Void] = [
      { $0.drop = "../N.sqlite" }, { $0.store = ".." }, { $0.store = "a/N.sqlite" },
      { $0.members.append("../../outside") },
      { $0.members.append("") }, { $0.retries = .max }, { $0.strikes = -1 }, { $0.attempts = .max },
      { $0.arrival = .max },
      { $0.bytes = .min },
    ]
    for (index, change) in changes.enumerated() {
      let way = try SpoolWay(.loose)
      try way.claim()
      let job = try #require(try way.folder.names("spool/work").last)
      let folder = try JobFolder(job, in: way.spool)
      var record = try #require(try folder.record())
      change(&record)
      try folder.save(record)
      #expect(try folder.record() == nil, "\(index)")
      let found = try #require(
        try Recovery(spool: way.spool).run(known: { _ in false }, at: 1_795_183_200).records.first)
      #expect(found.drop == "N.sqlite" && found.store == "N.sqlite" && found.retries == 0, "\(index)")
    }
  }

  @Test("a decision without its delivery is void: the store is queued again")
  func lostDelivery() throws {
    for (state, delivery) in [
      (JobRecord.State.refusing, JobRecord.Delivery?.none), (.delivering, .source),
      (.delivering, .outputKeepingOriginal),
    ] {
      let way = try SpoolWay(.folder)
      try way.claim()
      var record = try #require(
        try Recovery(spool: way.spool).run(known: { _ in false }, at: 1_795_183_200).records.first)
      record.state = state
      record.delivery = delivery
      try JobFolder(record.id, in: way.spool).save(record)
      try way.finish(.migrated)
      try way.check(.migrated, 0)
    }
  }

  @Test("a claimed drop is queued again from its files, with its request")
  func claimedAnew() throws {
    for form in [Drop.Form.loose, .folder] {
      let way = try SpoolWay(form)
      try way.claim()
      let record = try #require(
        try Recovery(spool: way.spool).run(known: { _ in false }, at: 1_795_183_200).records.first)
      #expect(record.state == .queued)
      #expect(record.priority == 3)
      #expect(record.bytes > 0 && !record.fingerprint.isEmpty)
      #expect(record.title == "N.sqlite")
    }
  }

  @Test("if the name is taken in done, the job's name is appended")
  func takenName() throws {
    let way = try SpoolWay(.loose)
    try way.folder.makeFolder("spool/done/N.sqlite")
    try way.claim()
    try way.finish(.migrated)
    let names = try way.folder.names("spool/done")
    #expect(names.count == 2)
    #expect(names.last == "N.sqlite~20261120T140000-000001")
  }

  @Test("a lost record is made again from the source")
  func lostRecord() throws {
    let way = try SpoolWay(.folder)
    try way.claim()
    let job = try #require(try way.folder.names("spool/work").last)
    try way.folder.write("not json", to: "spool/work/\(job)/job.json")
    try way.finish(.migrated)
    try way.check(.migrated, 0)
  }

  @Test("if the record is lost and the files don't tell which is the store, the job goes to failed")
  func lostRecordWithoutStore() throws {
    let way = try SpoolWay(.folder)
    try way.claim()
    let job = try #require(try way.folder.names("spool/work").last)
    unlink(way.folder.path("spool/work/\(job)/job.json"))
    unlink(way.folder.path("spool/work/\(job)/source/N.sqlite"))
    try way.finish(.migrated)
    let reason = try way.folder.text("spool/failed/\(job)/reason.json")
    #expect(reason.contains("lost-record"))
    #expect(try way.folder.text("spool/failed/\(job)/original/N.sqlite-wal") == "wal")
  }

  @Test("a job of a newer version stays as it is, whatever else its record says", arguments: [true, false])
  func newer(isReadable: Bool) throws {
    let way = try SpoolWay(.folder)
    try way.claim()
    let job = try #require(try way.folder.names("spool/work").last)
    let record = try way.folder.text("spool/work/\(job)/job.json")
    #expect(record.contains("\"format\" : 1"))
    let text =
      isReadable
      ? record.replacing("\"format\" : 1", with: "\"format\" : 7") : #"{"format": 7, "state": "dreaming"}"#
    try way.folder.write(text, to: "spool/work/\(job)/job.json")
    let before = try way.folder.tree("spool")
    let findings = try Recovery(spool: way.spool).run(known: { _ in false }, at: 0)
    #expect(findings.newer == [job: 7] && findings.records.isEmpty && findings.failures.isEmpty)
    #expect(try way.folder.tree("spool") == before)
  }

  @Test("a record without a format is one of the first format")
  func oldest() throws {
    let way = try SpoolWay(.folder)
    try way.claim()
    let job = try #require(try way.folder.names("spool/work").last)
    let record = try way.folder.text("spool/work/\(job)/job.json")
    try way.folder.write(
      record.replacing("\"format\" : 1,", with: ""), to: "spool/work/\(job)/job.json")
    let findings = try Recovery(spool: way.spool).run(known: { _ in false }, at: 0)
    #expect(findings.records.map(\.id) == [job] && findings.records.first?.format == 1)
  }

  @Test("folders that aren't jobs are not changed")
  func strangers() throws {
    let way = try SpoolWay(.folder)
    try way.folder.write("x", to: "spool/work/notes/n.txt")
    let findings = try Recovery(spool: way.spool).run(known: { _ in false }, at: 0)
    #expect(findings.strangers == ["notes"])
    #expect(try way.folder.text("spool/work/notes/n.txt") == "x")
  }

  @Test("the arrival number continues after the loss of its file")
  func arrival() throws {
    let way = try SpoolWay(.folder)
    var counter = try ArrivalCounter(spool: way.spool, inUse: [3, 7])
    let next = try counter.next(spool: way.spool)
    #expect(next == 8)
    #expect(try ArrivalCounter(spool: way.spool, inUse: []).last == 7 + ArrivalCounter.block)
    try way.folder.write("rubbish", to: "spool/work/.arrival")
    #expect(try ArrivalCounter(spool: way.spool, inUse: [5]).last == 5)
    #expect(Recovery.arrival(of: ArrivalCounter.jobID(arrival: 12, at: 0)) == 12)
    #expect(Recovery.arrival(of: "notes") == nil)
  }

  @Test("a second daemon on the spool is refused, and the error names the first daemon's process")
  func lock() throws {
    let way = try SpoolWay(.folder)
    let error = #expect(throws: SpoolError.self) { try Spool(path: way.spool.root.path) }
    #expect(error == .inUse(spool: way.spool.root.path, process: Int(getpid())))
    #expect(error?.exitCode == 75)
  }
}
