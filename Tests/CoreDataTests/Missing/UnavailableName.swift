import DecantTestSupport
import Foundation

/// A declaration in `Sources/CoreData/Unavailable`.
struct UnavailableName: Hashable {
  /// The name as the page has it, such as `NSManagedObjectContext.undo()`.
  let name: String
  let message: String

  private static let folder = Repository.root.appendingPathComponent("Sources/CoreData")

  static func all() throws -> [UnavailableName] {
    let aliases = try String(contentsOf: folder.appendingPathComponent("Names.swift"), encoding: .utf8)
      .matches(of: /typealias (\w+) = (\w+)/).map { (String($0.2), String($0.1)) }
    let apple = Dictionary(aliases, uniquingKeysWith: { first, _ in first })
    let place = folder.appendingPathComponent("Unavailable")
    return try FileManager.default.contentsOfDirectory(atPath: place.path).sorted().flatMap { file in
      try names(in: String(contentsOf: place.appendingPathComponent(file), encoding: .utf8), apple)
    }
  }

  private static func names(in text: String, _ apple: [String: String]) -> [UnavailableName] {
    // A declaration ends before a brace, an empty line or the end of its extension.
    let pattern =
      /extension ([\w.]+) \{|@available\(\s*\*, unavailable,\s*message:\s*"([^"]*)"\s*\)\s+public (?:convenience |class (?=func|var)|static )*(class|enum|protocol|let|var|func|init)\b *([\s\S]*?)(?=\{|\n\n|\n\}|$)|\n(\})/
    var owner: String?
    return text.matches(of: pattern).compactMap { match in
      if let type = match.1 {
        owner = apple[String(type)] ?? String(type)
        return nil
      }
      guard let message = match.2, let keyword = match.3, let rest = match.4 else {
        owner = nil
        return nil
      }
      let member =
        keyword == "init" ? "init" + signature(rest) : keyword == "func" ? function(rest) : plain(rest)
      return UnavailableName(name: (owner.map { $0 + "." } ?? "") + member, message: String(message))
    }
  }

  private static func plain(_ text: Substring) -> String { String(text.prefix { $0.isLetter || $0.isNumber }) }

  private static func function(_ text: Substring) -> String { plain(text) + signature(text.drop { $0 != "(" }) }

  /// The labels `(_:forKey:)` for the parameters `(_ value: inout AnyObject?, forKey key: String) throws`.
  private static func signature(_ text: Substring) -> String {
    var depth = 0
    var labels: [String] = []
    var isStart = false
    var place = text.startIndex
    while place < text.endIndex {
      let character = text[place]
      if isStart, !character.isWhitespace {
        let label = text[place...].prefix { $0.isLetter || $0 == "_" }
        if !label.isEmpty { labels.append(String(label)) }
        isStart = false
      }
      if "([".contains(character) {
        depth += 1
        isStart = depth == 1
      } else if ")]".contains(character) {
        depth -= 1
        if depth == 0 { break }
      } else if character == ",", depth == 1 {
        isStart = true
      }
      place = text.index(after: place)
    }
    return "(" + labels.map { $0 + ":" }.joined() + ")"
  }
}
