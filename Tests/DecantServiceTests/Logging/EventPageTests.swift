import DecantTestSupport
import Foundation
import Testing

@testable import DecantService

@Suite("The events in decant-progress(5)")
struct EventPageTests {
  /// The names of the events that the service's sources write.
  private static func written() throws -> Set<String> {
    let folder = Repository.root.appendingPathComponent("Sources/DecantService")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var names: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for pattern in [
        /events\.write\(\s*record, "([a-z-]+)"/, /\(\s*event: "([a-z-]+)"/, /\("event", "([a-z-]+)"\)/,
        /isDone \? "([a-z-]+)"/, /isDone \? "[a-z-]+" : "([a-z-]+)"/,
      ] {
        for match in text.matches(of: pattern) { names.insert(String(match.1)) }
      }
    }
    return names
  }

  /// A section of the page.
  private static func section(_ name: String) throws -> Substring {
    let page = try Repository.text("man/decant-progress.5")
    let start = try #require(page.range(of: ".Sh \(name)\n"))
    let rest = page[start.upperBound...]
    return rest[..<(rest.range(of: "\n.Sh ")?.lowerBound ?? rest.endIndex)]
  }

  /// The words that the list of a section explains.
  private static func words(_ name: String) throws -> Set<String> {
    var words: Set<String> = []
    for line in try section(name).split(separator: "\n") where line.hasPrefix(".It Cm ") {
      words.formUnion(line.dropFirst(7).components(separatedBy: " , "))
    }
    return words
  }

  /// The texts in the service's sources that a pattern finds.
  private static func found(_ patterns: [Regex<(Substring, Substring)>]) throws -> Set<String> {
    let folder = Repository.root.appendingPathComponent("Sources/DecantService")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var words: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for pattern in patterns { for match in text.matches(of: pattern) { words.insert(String(match.1)) } }
    }
    return words
  }

  @Test("the page names exactly the events that the daemon writes")
  func names() throws {
    let written = try Self.written()
    #expect(written.count > 10)
    #expect(try Self.words("EVENTS OF A JOB").union(Self.words("OTHER EVENTS")) == written)
  }

  @Test("each trouble has a message for its end")
  func ends() throws {
    let troubles = try Self.found([/trouble\(\s*"([a-z ]+)"/]).union(["models", "families"])
    #expect(Set(TroubleEnd.sentences.keys) == troubles)
  }

  @Test("the page names exactly the events that are only in the journal")
  func journal() throws {
    let said = try Self.found([/event: "([a-z- ]+)"/, /trouble\(\s*"([a-z ]+)"/, /isDone \? "([a-z]+)"/])
    // CatalogueWatch takes these two from a list.
    let listed: Set = ["models", "families"]
    let progress = try Self.words("EVENTS OF A JOB").union(Self.words("OTHER EVENTS"))
    #expect(try Self.words("THE JOURNAL") == said.union(listed).subtracting(progress))
  }

  /// The keys of the lines that jobs with all kinds of ends write.
  private static func written(by drops: [String]) throws -> Set<String> {
    let fixture = try DaemonFixture { $0.attempts = 1 }
    let daemon = try fixture.start()
    for (number, drop) in drops.enumerated() { try fixture.put(drop, "\(number).sqlite") }
    #expect(
      fixture.turn {
        daemon.departures.folders.done + daemon.departures.folders.failed == drops.count - 2
          && daemon.dispatcher.queue.waiting.count == 2
      })
    try fixture.put("hang", "hang.sqlite")
    #expect(fixture.turn { daemon.dispatcher.running.values.contains { $0.meter.latest != nil } })
    daemon.carryOut(.pause(stopsJobs: true), at: fixture.now)
    #expect(fixture.turn { daemon.dispatcher.running.isEmpty })
    daemon.carryOut(.resume, at: fixture.now)
    return Set(try fixture.log().flatMap { $0.matches(of: /(?:^| )([a-zA-Z]+)=/).map { String($0.1) } })
  }

  @Test("the page explains each field that is written, and no field that isn't in the sources")
  func fields() throws {
    let explained = try Self.words("FIELDS")
    let literals = try Self.found([/"([a-zA-Z]+)"/])
    #expect(explained.subtracting(literals).isEmpty, "\(explained.subtracting(literals))")
    let written = try Self.written(by: [
      "migrate", "lossy", "current", "refuse", "die", "garbage", "retry", "catalogue",
    ])
    #expect(written.count > 30)
    #expect(written.subtracting(explained).isEmpty, "\(written.subtracting(explained).sorted())")
  }
}
