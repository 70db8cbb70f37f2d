import Foundation

/// The headings and sections of a page, to which links and citations lead, and the page's own links.
struct MarkdownPage {
  let file: RepositoryFile
  /// The texts of the headings, without formatting.
  private(set) var headings: [String] = []
  /// The section numbers, such as `4.4`, at the start of headings and list items.
  private(set) var sections: [String] = []
  /// The destinations of links, with their line numbers from 1.
  private(set) var links: [(destination: String, line: Int)] = []
  /// The text without code, line by line.
  private(set) var prose: [String] = []

  init(_ file: RepositoryFile) {
    self.file = file
    var isCode = false
    for (index, line) in file.text.components(separatedBy: "\n").enumerated() {
      if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") { isCode.toggle() }
      let text = isCode || line.hasPrefix("    ") ? "" : line.replacing(#/`[^`]*`/#, with: "`")
      prose.append(text)
      if !isCode { read(line) }
      links += text.matches(of: #/\]\(([^)\s]+)\)/#).map { (String($0.1), index + 1) }
    }
  }

  private mutating func read(_ line: String) {
    if let heading = line.wholeMatch(of: #/#{1,6} +(.*?)#* */#)?.1 {
      headings.append(heading.filter { $0 != "`" && $0 != "*" })
      if let number = heading.prefixMatch(of: #/(\d+(?:\.\d+)*)\.? /#)?.1 { sections.append(String(number)) }
    } else if let number = line.prefixMatch(of: #/- \*\*(\d+(?:\.\d+)+)\*\* /#)?.1 {
      sections.append(String(number))
    }
  }

  /// The anchors that GitHub makes from the headings: in lower case, with dashes instead of spaces.
  var anchors: Set<String> {
    var counts: [String: Int] = [:]
    return Set(
      headings.map { heading in
        let kept = heading.lowercased().unicodeScalars.filter {
          $0 == " " || $0 == "-" || $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
        }
        let anchor = String(String.UnicodeScalarView(kept)).replacing(" ", with: "-")
        let count = counts[anchor, default: 0]
        counts[anchor] = count + 1
        return count == 0 ? anchor : "\(anchor)-\(count)"
      })
  }
}
