internal import DecantModel
internal import Foundation

/// An open change of a text for a property that has no line of its own, because nothing was chosen yet.
///
/// `OpenChange.lines` writes such a change.
struct UndecidedChange {
  /// The line of the open change's mark, from 1.
  let line: Int
  /// What changes, without a full stop.
  let problem: String
  /// The lines to choose from.
  let choices: [String]

  /// - Parameter index: The entity mapping's index in the text.
  init?(of property: String, _ index: Int, in data: Data) {
    let mapping: [JSON5Step] = [.key("entityMappings"), .index(index)]
    let rows = ["attributes", "relationships"].map { mapping + [.key($0), .key(property)] }
    guard let start = JSON5Value.place(of: mapping, in: data)?.line,
      rows.allSatisfy({ JSON5Value.place(of: $0, in: data) == nil })
    else { return nil }
    let next: [JSON5Step] = [.key("entityMappings"), .index(index + 1)]
    let lines = JSON5Value.lines(of: data)
    let end = JSON5Value.place(of: next, in: data).map { $0.line - 1 } ?? lines.count
    let head = "\(JSON5Text.key(property)):"
    var found: UndecidedChange?
    var number = start
    while number <= end, found == nil {
      guard Self.comment(lines[number - 1])?.hasPrefix("\(OpenChange.mark):") == true else {
        number += 1
        continue
      }
      let block = Self.block(lines[(number - 1)..<end])
      let choices = block.filter { $0.hasPrefix(head) }
      if !choices.isEmpty {
        found = UndecidedChange(
          line: number, problem: Self.problem(block), choices: choices.map(Self.withoutMeaning))
      }
      number += 1
    }
    guard let found else { return nil }
    self = found
  }

  private init(line: Int, problem: String, choices: [String]) {
    self.line = line
    self.problem = problem
    self.choices = choices
  }

  private static func block(_ lines: ArraySlice<String>) -> [String] {
    var block: [String] = []
    for line in lines {
      guard let comment = comment(line), block.isEmpty || !comment.hasPrefix("\(OpenChange.mark):") else {
        break
      }
      block.append(comment)
    }
    return block
  }

  private static func comment(_ line: String) -> String? {
    let text = line.drop { $0.isWhitespace }
    guard text.hasPrefix("//") else { return nil }
    return text.dropFirst(2).trimmingCharacters(in: .whitespaces)
  }

  /// What the comments say before the lines to choose from.
  private static func problem(_ block: [String]) -> String {
    var text = block.joined(separator: " ").dropFirst(OpenChange.mark.count + 1)
    for decision in OpenChange.Decision.allCases {
      if let range = text.range(of: " \(decision.rawValue)") { text = text[..<range.lowerBound] }
    }
    let words = text.trimmingCharacters(in: .whitespaces)
    return words.hasSuffix(".") ? String(words.dropLast()) : words
  }

  private static func withoutMeaning(_ choice: String) -> String {
    let line = choice.range(of: "  // ").map { String(choice[..<$0.lowerBound]) } ?? choice
    return line.hasSuffix(",") ? String(line.dropLast()) : line
  }

  func finding(_ finding: MappingFinding) -> MappingFinding {
    var decided = finding
    decided.focus = nil
    decided.problem = "the \(OpenChange.mark) in line \(line) isn't decided: \(problem)"
    decided.advice =
      choices.count == 1
      ? "Remove the “//” before this line: \(choices[0])"
      : "Choose one of these lines, and remove its “//”: \(choices.joined(separator: " or "))"
    return decided
  }
}
