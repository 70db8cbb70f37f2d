import DecantMigration
import DecantReport
import DecantTestSupport
import FileNames
import Foundation
import Glibc
import SpoolSupport
import Testing

@testable import DecantService
@testable import DecantSpool

/// Input that the daemon reads from others, with random changes from fixed seeds.
///
/// Each text gives a value or a typed error. No text causes a crash, an extra line in the log, or a file outside the
/// spool.
@Suite("Mutated input")
struct MutatedInputTests {
  /// Makes variants of texts.
  private struct Mutator {
    var dice: Dice
    let texts: [[UInt8]]
    let words: [String]

    init(_ seed: UInt64, _ texts: [String], words: [String] = []) {
      dice = Dice(seed)
      self.texts = texts.map { Array($0.utf8) }
      self.words =
        words + [
          "", "\0", "\n", "\r\n", "\u{202E}", "\"", "'", "{", "}", "[", "]", ",", ":", "/", "..", "-", "-0",
          "1e999",
          "1e308", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "0x7FFFFFFFFFFFFFFF",
          "NaN",
          "Infinity", "null", "true", "\\u0000", "\\uD800", "//", "/*",
        ]
    }

    /// - Parameter most: The largest number of changes.
    mutating func next(most: Int = 4) -> [UInt8] {
      var text = dice.pick(texts)
      for _ in 0..<1 + dice.below(most) {
        let place = dice.below(text.count + 1)
        let end = min(text.count, place + 1 + dice.below(12))
        switch dice.below(9) {
        case 0 where place < text.count: text[place] = UInt8(truncatingIfNeeded: dice.next())
        case 1: text.removeSubrange(place..<end)
        case 2: text.insert(contentsOf: text[place..<end], at: place)
        case 3: text.removeSubrange(place...)
        case 4: text.insert(contentsOf: dice.pick(texts).suffix(1 + dice.below(40)), at: place)
        case 5: text.replaceSubrange(place..<end, with: Array(dice.pick(words).utf8))
        case 6: replaceQuoted(in: &text)
        default: replaceNumber(in: &text)
        }
      }
      return text
    }

    /// Replaces a number by a word, so that the text can still be read.
    private mutating func replaceNumber(in text: inout [UInt8]) {
      let digits = text.indices.filter { (0x30...0x39).contains(text[$0]) }
      guard !digits.isEmpty else { return }
      let start = dice.pick(digits)
      let end = text[start...].firstIndex { !(0x30...0x39).contains($0) } ?? text.endIndex
      text.replaceSubrange(start..<end, with: Array(dice.pick(words).utf8))
    }

    /// Replaces the text between two quotes by a word.
    private mutating func replaceQuoted(in text: inout [UInt8]) {
      let quotes = text.indices.filter { text[$0] == 0x22 }
      guard quotes.count > 1 else { return }
      let first = dice.below(quotes.count / 2) * 2
      text.replaceSubrange(quotes[first] + 1..<quotes[first + 1], with: Array(dice.pick(words).utf8))
    }
  }

  @Test("requests beside a store")
  func requests() {
    var mutator = Mutator(
      1,
      [
        "{ to: 'Dos', family: \"Notas\", priority: -5 }", "{\n  // Soon.\n  priority: 100,\n}",
        "{ to: \"\\u0041\\x42\\\nC\" }",
      ], words: ["to", "family", "priority", "100", "101", "+5"])
    var taken = 0
    for _ in 0..<4000 {
      let text = mutator.next()
      do throws(MigrationFailure) {
        let request = try DropRequest(Data(text), file: "N.request.json5")
        #expect((-100...100).contains(request.priority) && request.to != "" && request.family != "")
        taken += 1
      } catch {
        #expect(error.reason == .badRequest)
      }
    }
    // Some requests were accepted, and some refused.
    #expect((100..<3900).contains(taken), "\(taken)")
  }

  @Test("configurations")
  func configurations() {
    let spoken = ConfigurationKey.all.map { "\($0.name): \($0.text(ServiceConfiguration()))" }
    var mutator = Mutator(
      2,
      stride(from: 0, to: spoken.count, by: 4).map {
        "{ \(spoken[$0..<min(spoken.count, $0 + 4)].joined(separator: ", ")) }"
      },
      words: ConfigurationKey.all.map(\.name) + ["['/bin/true', 'a']", "256", "257", "0.05", "'0640'"])
    var taken = 0
    for _ in 0..<3000 {
      let text = mutator.next()
      do throws(ConfigurationError) {
        let read = try ServiceConfiguration.read(Data(text), file: "/srv/d.json5")
        #expect((1...256).contains(read.workers) && read.settleSeconds >= 0 && read.scanSeconds >= 0.05)
        taken += 1
      } catch {
        #expect(error.exitCode == 78 && !error.description.isEmpty)
      }
    }
    #expect((30..<2970).contains(taken), "\(taken)")
  }

  @Test("records of jobs: a start accepts, rebuilds or reports each of them, and no file leaves the spool")
  func records() throws {
    let folder = try TemporaryFolder.short(inMemory: true)
    let spool = try Spool(path: folder.path("spool"))
    try folder.write("safe", to: "outside")
    let id = "20261120T140000-000007"
    var texts: [String] = []
    for state in [JobRecord.State.claiming, .queued, .waiting, .delivering, .refusing] {
      for form in [Drop.Form.loose, .folder] {
        var record = JobRecord(
          id: id, arrival: 7, state: state, drop: "N.sqlite", form: form,
          members: ["N.sqlite-wal", "N.sqlite"],
          store: "N.sqlite", claimedAt: 1_795_183_200.5)
        (record.strikes, record.retries, record.attempts, record.delivery) = (1, 1, 2, .outputKeepingOriginal)
        record.hold = JobRecord.Hold(
          cause: .retry, until: 1_795_183_300, failure: MigrationFailure(.noRoom, .retry, message: "m"),
          since: 1_795_183_200)
        texts.append(String(decoding: try JSONEncoder().encode(record), as: UTF8.self))
      }
    }
    var mutator = Mutator(
      3, texts, words: ["../outside", "..", "../../outside", "queued", "claiming", "source", "a/b"])
    var ends = (taken: 0, rebuilt: 0)
    for _ in 0..<1500 {
      let text = mutator.next(most: 2)
      for (name, content) in [("source/N.sqlite", "store"), ("source/N.sqlite-wal", "wal")] {
        try folder.write(content, to: "spool/work/\(id)/\(name)")
      }
      try Data(text).write(to: URL(fileURLWithPath: folder.path("spool/work/\(id)/job.json")))
      let isRecord = try JobFolder(id, in: spool).record() != nil
      if isRecord { ends.taken += 1 } else { ends.rebuilt += 1 }
      let findings = try Recovery(spool: spool).run(known: { _ in false }, at: 1_795_183_200)
      for record in findings.records {
        #expect(Timestamp.text(record.claimedAt).utf8.count == 24)
        #expect(record.retries + 1 > 0 && record.strikes + 1 > 0 && record.id == id)
        #expect(record.hold.map { !Timestamp.text($0.until ?? 0).isEmpty } ?? true)
        for value in [record.drop, record.store].compactMap({ $0 }) { #expect(!value.bytes.contains(0x2F)) }
      }
      #expect(try folder.names(".") == ["outside", "spool"])
      #expect(try folder.names("spool") == [".lock", "done", "failed", "incoming", "work"])
      for place in ["work/\(id)", "incoming", "failed"] {
        for name in (try? folder.names("spool/\(place)")) ?? [] {
          try FileManager.default.removeItem(atPath: folder.path("spool/\(place)/\(name)"))
        }
      }
    }
    #expect(try folder.text("outside") == "safe")
    #expect(ends.taken > 100 && ends.rebuilt > 100, "\(ends)")
  }

  @Test("requests of the socket's clients: the next client gets its answer")
  func socket() throws {
    let folder = try TemporaryFolder.short()
    let path = folder.path("s")
    let server = try #require(HealthServer(socket: try HealthSocket(path: path), board: StatusBoard()))
    var mutator = Mutator(
      4,
      [
        "GET /status HTTP/1.1\r\nHost: decant\r\nConnection: close\r\n\r\n",
        "GET /readyz?verbose=1&a=%41%zz HTTP/1.0\r\n\r\n",
        "POST /jobs/20261120T140000-000007/cancel HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
        "POST /pause?stop-jobs HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
      ],
      words: ["HTTP/9.9", "Content-Length: -1", "Content-Length: 99999999999999999999", "%00", "?", "&", "="])
    for round in 0..<2000 {
      let client = try #require(UnixClient(path: path))
      client.send(mutator.next())
      guard round % 100 == 99 else { continue }
      #expect(UnixClient.get("/metrics", on: path)?.code == 200, "\(round)")
    }
    server.stop()
  }

  @Test("names of drops: each drop is scanned, and no name adds a line to the log")
  func names() throws {
    let folder = try TemporaryFolder.short(inMemory: true)
    let spool = try Spool(path: folder.path("spool"))
    var mutator = Mutator(
      5,
      [
        "N.sqlite", "N.sqlite-wal", ".N_SUPPORT", "N.sqlite.request.json5", "N.request.json5", "é.sqlite",
        "e\u{301}.sqlite",
        "K.store", "\u{212A}.store", "decant-notice.txt",
      ], words: ["é", "e\u{301}", "\u{1B}[2J", ".sqlite", "-wal", "-journal", "~", "$(id)", "`id`", "'; id; '"])
    var made: Set<FileName> = []
    for _ in 0..<3000 {
      let bytes = mutator.next().filter { $0 != 0 && $0 != 0x2F }.prefix(255)
      let name = FileName(bytes: Array(bytes))
      guard !bytes.isEmpty, name != ".", name != ".." else { continue }
      let place = Array("\(spool.incoming.path)/".utf8) + bytes + [0]
      let isMade = place.withUnsafeBytes { raw in
        raw.bindMemory(to: CChar.self).baseAddress.map { path in
          mutator.dice.chance(20) ? mkdir(path, 0o755) == 0 : mknod(path, S_IFREG | 0o644, 0) == 0
        } ?? false
      }
      if isMade { made.insert(name) }
    }
    let scan = try IncomingScan(of: spool.incoming, access: .current, now: Int64.max)
    #expect(made.count > 1000 && scan.names.count == made.count { $0.bytes.first != 0x2E })
    #expect(scan.sightings.contains { !$0.obstacles.isEmpty })
    for sighting in scan.sightings {
      for obstacle in sighting.obstacles {
        let words = obstacle.message + obstacle.command
        #expect(!words.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "\(words)")
      }
      let line = LogLine.format([("drop", sighting.name.description)])
      #expect(!line.contains { $0.isNewline }, "\(line)")
    }
  }
}
