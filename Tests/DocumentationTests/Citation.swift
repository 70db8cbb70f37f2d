/// A rule that a text cites: `docs/formats/core-data-sqlite.md 4.4`.
///
/// A citation may have several sections of a page: `… 4.1, 4.3` or `… 3.3 and 8`. It may continue on the next line.
struct Citation: Equatable {
  /// The file's name in docs/formats.
  let page: String
  /// The section numbers; empty if the text cites only the page.
  let sections: [String]
  let place: String

  static func all(in file: RepositoryFile) -> [Citation] {
    guard file.text.contains("docs/formats/") else { return [] }
    // Two words are separated by a space, or by a line's end and the next comment's mark.
    let pattern =
      #/docs\/formats\/([A-Za-z0-9-]+\.md)((?:(?:,|(?:\ |\n[\ \t]*(?:\/\/\/?|\#|\*)?[\ ]*)and)?(?:\ |\n[\ \t]*(?:\/\/\/?|\#|\*)?[\ ]*)\d+(?:\.\d+)*(?!\w))*)/#
    return file.text.matches(of: pattern).map { match in
      Citation(
        page: String(match.1),
        sections: match.2.matches(of: #/\d+(?:\.\d+)*/#).map { String($0.output) },
        place: file.place(of: match.range.lowerBound))
    }
  }
}

/// A heading that a text cites: `docs/catalogue.md, “Reference stores”`.
struct HeadingCitation: Equatable {
  let page: String
  let heading: String
  let place: String

  static func all(in file: RepositoryFile) -> [HeadingCitation] {
    guard file.text.contains("“") else { return [] }
    let pattern = #/(docs\/[A-Za-z0-9\/-]+\.md),(?:\ |\n[\ \t]*(?:\/\/\/?|\#|\*)?[\ ]*)“([^”]+)”/#
    return file.text.matches(of: pattern).map { match in
      HeadingCitation(
        page: String(match.1),
        heading: String(match.2.replacing(#/\s*\n[\ \t]*(?:\/\/\/?|\#|\*)?[\ ]*/#, with: " ")),
        place: file.place(of: match.range.lowerBound))
    }
  }
}

/// Finds citations that lack the page's folder or the page itself.
enum LooseCitation {
  /// Each loose citation in a file, as `file:line: text`.
  static func all(in file: RepositoryFile, formatPages: Set<String>) -> [String] {
    var found: [String] = []
    for (index, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      // Most lines have no citation. Comparing bytes is faster than matching a pattern.
      let bytes = line.utf8
      var texts: [Substring] = []
      if bytes.contains(UInt8(ascii: ".")), bytes.contains(UInt8(ascii: "m")), line.contains(".md") {
        texts += names(in: line, formatPages)
      }
      if bytes.contains(UInt8(ascii: "/")), bytes.contains(UInt8(ascii: "(")) { texts += numbers(in: line) }
      if let quote = bytes.firstIndex(of: UInt8(ascii: "\"")),
        bytes[quote...].dropFirst().first.map(isDigit) == true
      {
        texts += testNames(in: line)
      }
      found += texts.map { "\(file.path):\(index + 1): \($0)" }
    }
    return found
  }

  /// The names of pages that lack their folder `docs/formats`.
  ///
  /// A page may have a namesake in docs. Then only a number after the name shows that the page in formats is meant.
  private static func names(in line: Substring, _ formatPages: Set<String>) -> [Substring] {
    line.matches(of: #/([A-Za-z0-9.\/-]*\/)?([A-Za-z0-9-]+\.md)( \d)?/#).compactMap { match in
      let folder = match.1 ?? ""
      guard formatPages.contains(String(match.2)), !folder.hasSuffix("docs/formats/") else { return nil }
      let isNamesake = RepositoryFile.isThere("docs/\(match.2)")
      return folder.isEmpty && !isNamesake || match.3 != nil ? match.0 : nil
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// The section numbers that lack their page, in a comment.
  private static func numbers(in line: Substring) -> [Substring] {
    guard let comment = line.firstRange(of: "//") else { return [] }
    return line[comment.lowerBound...].matches(of: #/\(\d{1,2}(?:\.\d{1,2}[,;)]|, “)/#).map(\.output)
  }

  /// The section number that lacks its page at the start of a test's display name.
  private static func testNames(in line: Substring) -> [Substring] {
    let text = line.trimmingPrefix(while: \.isWhitespace).trimmingPrefix("@Test(").trimmingPrefix("@Suite(")
    return text.prefixMatch(of: #/"\d{1,2}\.\d{1,2}[:,]/#).map { [$0.output] } ?? []
  }
}
