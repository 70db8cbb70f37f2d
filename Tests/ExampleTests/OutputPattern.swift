import Foundation

/// The expected output of a command; `…` stands for text that differs from run to run.
struct OutputPattern {
  let lines: [String]

  func matches(_ output: [String]) -> Bool { Self.matches(lines[...], output[...]) }

  private static func matches(_ pattern: ArraySlice<String>, _ output: ArraySlice<String>) -> Bool {
    guard let first = pattern.first else { return output.isEmpty }
    if first == "…" {
      return (output.startIndex...output.endIndex).contains { matches(pattern.dropFirst(), output[$0...]) }
    }
    guard let line = output.first, isLike(line, first) else { return false }
    return matches(pattern.dropFirst(), output.dropFirst())
  }

  /// Whether a line has the pattern's pieces between `…` in their order.
  private static func isLike(_ line: String, _ pattern: String) -> Bool {
    let pieces = pattern.components(separatedBy: "…")
    guard pieces.count > 1, let first = pieces.first, let last = pieces.last else { return line == pattern }
    guard line.hasPrefix(first), line.hasSuffix(last), line.count >= first.count + last.count else {
      return false
    }
    var rest = line.dropFirst(first.count).dropLast(last.count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let range = rest.range(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
