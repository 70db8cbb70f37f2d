import DecantTestSupport
import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

@testable import DecantService

@Suite("Messages on standard error")
struct ServiceLogTests {
  /// Both ends of a pipe or of a pair of sockets: the log writes to one end, and a reader reads from the other.
  private struct Ends {
    let (output, input): (Int32, Int32)

    init(ofSockets: Bool) {
      var ends: [Int32] = [-1, -1]
      if ofSockets {
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
      } else {
        pipe(&ends)
      }
      (input, output) = (ends[0], ends[1])
      _ = fcntl(input, F_SETFL, O_NONBLOCK)
    }

    func read() -> String {
      var data: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = Glibc.read(input, &buffer, buffer.count)
        guard count > 0 else { return String(decoding: data, as: UTF8.self) }
        data += buffer.prefix(count)
      }
    }
  }

  @Test("each message ID is a different 128-bit number, is in the record, and is in the manual")
  func messageIDs() throws {
    let numbers = MessageID.all.values
    #expect(Set(numbers).count == numbers.count)
    let digits = Set("0123456789abcdef")
    #expect(numbers.allSatisfy { $0.count == 32 && $0.allSatisfy(digits.contains) })
    let page = try String(decoding: Data(contentsOf: Self.manual), as: UTF8.self)
    for (event, number) in MessageID.all {
      #expect(page.contains(".It Li \(event)\n\(number)\n"), "\(event)")
      #expect(JournalRecord(.info, "m", event: event).fields.contains("MESSAGE_ID=\(number)"))
    }
    #expect(!JournalRecord(.info, "m", event: "space").fields.contains { $0.hasPrefix("MESSAGE_ID=") })
  }

  private static let manual = Repository.root.appendingPathComponent("man/decant-progress.5")

  @Test(
    "the log doesn't wait for a reader that doesn't read, and the next line says how much was dropped",
    arguments: [false, true])
  func full(isSocket: Bool) {
    let ends = Ends(ofSockets: isSocket)
    defer { for end in [ends.input, ends.output] { close(end) } }
    let log = ServiceLog(descriptor: ends.output)
    let long = String(repeating: "x", count: 10_000)
    for _ in 0..<100 { log.say(JournalRecord(.notice, long, event: "test")) }
    let first = ends.read().split(separator: "\n")
    #expect(first.count < 100 && first.dropLast().allSatisfy { $0 == "decantd: \(long)" })
    log.say(JournalRecord(.notice, "again", event: "test"))
    let rest = ends.read()
    let dropped = 100 - first.filter { $0 == "decantd: \(long)" }.count
    #expect(
      rest.hasSuffix(
        "decantd: \(dropped) messages were dropped, because standard error wasn't read.\ndecantd: again\n"),
      "\(rest)")
    log.say(JournalRecord(.notice, "last", event: "test"))
    #expect(ends.read() == "decantd: last\n")
    // The flags of the descriptor must not change, because other processes share them.
    #expect(fcntl(ends.output, F_GETFL) & O_NONBLOCK == 0)
  }

  @Test("a log file keeps the lines that are in it")
  func file() throws {
    let folder = try TemporaryFolder.short()
    try folder.write("one\n", to: "log")
    let descriptor = open(folder.path("log"), O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    lseek(descriptor, 0, SEEK_END)
    ServiceLog(descriptor: descriptor).say(JournalRecord(.warning, "two\nthree", event: "test"))
    #expect(try folder.text("log") == "one\ndecantd: two\\nthree\n")
  }

  @Test("a record of the journal has the job's fields, one line, and a priority")
  func record() {
    let sent = Mutex<[[String]]>([])
    let journal = JournalOutput { fields in
      sent.withLock { $0.append(fields) }
      return true
    }
    var job = JobRecord(
      id: "j1", arrival: 1, state: .queued, drop: "user17", form: .loose, members: [], store: "N.sqlite",
      claimedAt: 0)
    job.family = "Notas"
    ServiceLog(journal: journal).say(JournalRecord(.warning, "Lost:\n3 values", event: "done", about: job))
    ServiceLog(journal: journal).say(JournalRecord(.notice, "ready", event: "ready"))
    ServiceLog(journal: journal).say(JournalRecord(.info, "m", event: "pass-done", about: job, pass: "Uno"))
    journal.finish()
    #expect(
      sent.withLock { $0 } == [
        [
          "MESSAGE=Lost:\\n3 values", "PRIORITY=4", "SYSLOG_IDENTIFIER=decantd",
          "MESSAGE_ID=\(MessageID.all["done"] ?? "")", "DECANT_EVENT=done", "DECANT_JOB=j1",
          "DECANT_DROP=user17", "DECANT_STORE=N.sqlite", "DECANT_FAMILY=Notas",
        ],
        [
          "MESSAGE=ready", "PRIORITY=5", "SYSLOG_IDENTIFIER=decantd",
          "MESSAGE_ID=\(MessageID.all["ready"] ?? "")", "DECANT_EVENT=ready",
        ],
        [
          "MESSAGE=m", "PRIORITY=6", "SYSLOG_IDENTIFIER=decantd", "DECANT_EVENT=pass-done", "DECANT_JOB=j1",
          "DECANT_DROP=user17", "DECANT_STORE=N.sqlite", "DECANT_FAMILY=Notas", "DECANT_PASS=Uno",
        ],
      ])
  }

  @Test("messages that the journal refuses are counted")
  func refusingJournal() {
    let messages = Mutex<[String]>([])
    let journal = JournalOutput { fields in
      messages.withLock { messages in
        messages.append(fields[0])
        return !["MESSAGE=one", "MESSAGE=two"].contains(fields[0])
      }
    }
    for text in ["one", "two", "three"] { journal.write(JournalRecord(.info, text, event: "test")) }
    journal.finish()
    journal.write(JournalRecord(.info, "four", event: "test"))
    journal.finish()
    let all = messages.withLock { $0 }
    #expect(all.filter { !$0.contains("dropped") } == ["one", "two", "three", "four"].map { "MESSAGE=\($0)" })
    // The thread that writes may report the first refused message before the second is refused.
    let counts = all.filter { $0.contains("dropped, because the journal was too slow or didn't accept them.") }
      .compactMap { Int($0.dropFirst("MESSAGE=".count).prefix(while: \.isNumber)) }
    #expect(counts.reduce(0, +) == 2, "\(all)")
  }

  @Test("a slow journal delays nothing, and dropped messages are counted")
  func slowJournal() {
    let gate = DispatchSemaphore(value: 0)
    let sent = Mutex<[String]>([])
    let journal = JournalOutput { fields in
      gate.wait()
      sent.withLock { $0.append(fields[0]) }
      gate.signal()
      return true
    }
    for number in 0..<JournalOutput.maximumWaiting + 5 {
      journal.write(JournalRecord(.info, "\(number)", event: "test"))
    }
    gate.signal()
    journal.finish()
    journal.write(JournalRecord(.info, "last", event: "test"))
    journal.finish()
    let messages = sent.withLock { $0 }
    #expect(messages.count == JournalOutput.maximumWaiting + 2)
    #expect(
      messages.suffix(2) == [
        "MESSAGE=5 messages were dropped, because the journal was too slow or didn't accept them.",
        "MESSAGE=last",
      ])
    #expect(messages.count { $0.contains("dropped") } == 1)
  }

  @Test("the daemon works and stops while its standard error is full and unread")
  func daemon() throws {
    let ends = Ends(ofSockets: false)
    defer { for end in [ends.input, ends.output] { close(end) } }
    let daemon = try RealDaemon(standardError: FileHandle(fileDescriptor: ends.output)) { folder in
      try folder.makeFolder("catalogue")
      _ = fcntl(ends.output, F_SETFL, O_NONBLOCK)
      let bytes = [UInt8](repeating: 0x78, count: 1 << 16)
      while Glibc.write(ends.output, bytes, bytes.count) > 0 {}
      _ = fcntl(ends.output, F_SETFL, 0)
    }
    let socket = daemon.folder.path("h.sock")
    #expect(daemon.eventually { UnixClient.get("/livez", on: socket)?.code == 200 })
    #expect(daemon.stop() == 0)
  }
}
