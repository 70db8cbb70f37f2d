import Foundation
import Testing

@Suite("The events in decantd(8)")
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

  @Test("the page names each event that the daemon writes, and no other")
  func names() throws {
    let page = try String(contentsOf: Self.root.appendingPathComponent("man/decantd.8"), encoding: .utf8)
    let start = try #require(page.range(of: "The events of a job"))
    let end = try #require(page.range(of: ".El", range: start.upperBound..<page.endIndex))
    var named: Set<String> = ["blocked"]
    for line in page[start.upperBound..<end.lowerBound].split(separator: "\n") where line.hasPrefix(".It Cm ") {
      named.formUnion(line.dropFirst(7).split(whereSeparator: { " ,".contains($0) }).map(String.init))
    }
    let written = try Self.written()
    #expect(written.count > 10)
    #expect(named == written)
  }
}
