import DecantTestSupport
import Foundation

/// The functions and examples in docs/functions.md.
struct FunctionsPage {
  /// Signatures as the page writes them: `trim(text, [characters])`.
  private(set) var signatures: [String] = []
  private(set) var examples: [(expression: String, result: String)] = []

  init() throws {
    let text = try Repository.text("docs/functions.md")
    for line in text.split(separator: "\n") {
      let code = line.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter {
        !$0.offset.isMultiple(of: 2)
      }.map { String($0.element) }
      if line.hasPrefix("- `") {
        let head = line.prefix { $0 != ":" }.split(separator: "`", omittingEmptySubsequences: false)
        signatures += stride(from: 1, to: head.count, by: 2).map { String(head[$0]) }
      } else if line.hasPrefix("| `") {
        guard code.count == 2 else { throw CocoaError(.fileReadCorruptFile) }
        examples.append((code[0], code[1]))
      }
    }
  }
}
