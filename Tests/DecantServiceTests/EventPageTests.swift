import Foundation
import Testing

@Suite("The events in decant-progress(5)")
struct EventPageTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The names of the events that the service's sources write.
  private static func written() throws -> Set<String> {
    let folder = root.appendingPathComponent("Sources/DecantService")
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

  /// The section of the page, up to the next one.
  private static func section(_ name: String) throws -> Substring {
    let page = try String(contentsOf: root.appendingPathComponent("man/decant-progress.5"), encoding: .utf8)
    let start = try #require(page.range(of: ".Sh \(name)\n"))
    let rest = page[start.upperBound...]
    return rest[..<(rest.range(of: "\n.Sh ")?.lowerBound ?? rest.endIndex)]
  }

  /// The words that a section's list explains.
  private static func words(_ name: String) throws -> Set<String> {
    var words: Set<String> = []
    for line in try section(name).split(separator: "\n") where line.hasPrefix(".It Cm ") {
      words.formUnion(line.dropFirst(7).components(separatedBy: " , "))
    }
    return words
  }

  /// The texts in the service's sources that a pattern finds.
  private static func found(_ patterns: [Regex<(Substring, Substring)>]) throws -> Set<String> {
    let folder = root.appendingPathComponent("Sources/DecantService")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var words: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for pattern in patterns { for match in text.matches(of: pattern) { words.insert(String(match.1)) } }
    }
    return words
  }

  @Test("the page names each event that the daemon writes, and no other")
  func names() throws {
    let written = try Self.written()
    #expect(written.count > 10)
    #expect(try Self.words("EVENTS OF A JOB").union(Self.words("OTHER EVENTS")) == written)
  }

  @Test("the page names each event that is only in the journal, and no other")
  func journal() throws {
    let said = try Self.found([/event: "([a-z- ]+)"/, /trouble\(\s*"([a-z ]+)"/, /isDone \? "([a-z]+)"/])
    let progress = try Self.words("EVENTS OF A JOB").union(Self.words("OTHER EVENTS"))
    #expect(try Self.words("THE JOURNAL") == said.subtracting(progress))
  }

  @Test("the page explains each field of a line, and no other")
  func fields() throws {
    let keys = try Self.found([/\("([a-zA-Z]+)", [^)]/]).union(["source", "made"])
    let explained = try Self.words("FIELDS")
    #expect(explained.subtracting(keys).isEmpty, "\(explained.subtracting(keys))")
    let lines = try Self.found([/\("([a-zA-Z]+)", (?:"\\\(|[a-z]+\.|report\.|message|folder|shortage)/])
    let others: Set = ["event", "spool", "socket"]
    let missing = lines.subtracting(explained).subtracting(others).filter {
      $0.first.map(\.isLowercase) == true
    }
    #expect(missing.isEmpty, "\(missing.sorted())")
  }
}
