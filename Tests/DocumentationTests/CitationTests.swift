import Testing

/// Checks that every cited section exists in docs/formats.
@Suite("Citations") struct CitationTests {
  private static let sources = (try? RepositoryFile.sources()) ?? []
  private static let files = sources + ((try? RepositoryFile.pages()) ?? [])

  @Test("each section that a comment names exists")
  func sections() throws {
    let pages = try formatPages()
    var count = 0
    for file in Self.files {
      for citation in Citation.all(in: file) where citation.page != "README.md" {
        count += 1
        let (place, page) = (citation.place, citation.page)
        let sections = try #require(pages[page], "\(place): no page \(page)").sections
        #expect(
          !citation.sections.isEmpty || file.path.hasSuffix(".md"), "\(place): name a section of \(page)")
        for section in citation.sections {
          #expect(sections.contains(section), "\(place): \(page) has no section \(section)")
        }
      }
    }
    #expect(count > 150)
  }

  @Test("no comment names a section without its page, or a page without its folder")
  func loose() throws {
    let pages = Set(try formatPages().keys)
    let loose = Self.sources.flatMap { LooseCitation.all(in: $0, formatPages: pages) }
    #expect(loose == [], "write docs/formats/PAGE.md and the number, as CONTRIBUTING.md says")
  }

  @Test("each page and each heading that a file names exists")
  func headings() throws {
    var count = 0
    for file in Self.files where file.text.contains("docs/") {
      for match in file.text.matches(of: #/[A-Za-z0-9\/._-]*docs\/[A-Za-z0-9\/-]+\.md/#)
      where match.output.hasPrefix("docs/") {
        count += 1
        let place = file.place(of: match.range.lowerBound)
        #expect(RepositoryFile.isThere(String(match.output)), "\(place): no file \(match.output)")
      }
      for citation in HeadingCitation.all(in: file) {
        let page = MarkdownPage(try RepositoryFile(citation.page))
        #expect(
          page.headings.contains(citation.heading),
          "\(citation.place): \(citation.page) has no heading “\(citation.heading)”")
      }
    }
    #expect(count > 200)
  }

  @Test("each test that docs/spool-states.md names exists")
  func tests() throws {
    let suites = try RepositoryFile.all(in: ["Tests"], endings: ["Tests.swift"])
    let named = try RepositoryFile("docs/spool-states.md").text.matches(of: /`([A-Za-z]+Tests)\.([A-Za-z]+)`/)
    #expect(named.count > 20)
    for name in named {
      #expect(
        suites.contains { $0.path.hasSuffix("/\(name.1).swift") && $0.text.contains("func \(name.2)(") },
        "\(name.0)")
    }
  }

  @Test("sections that the pages of docs/formats name exist, in the same page and in others")
  func withinPages() throws {
    let pages = try formatPages()
    for (name, page) in pages {
      // `(4.4)` is a section of the same page, and `[model-files.md](model-files.md) 2.8` of the linked page.
      for (index, line) in page.prose.enumerated() {
        let own = line.matches(of: #/\((\d+\.\d+(?:, \d+\.\d+)*)\)/#).map { (name, $0.1) }
        let others = line.matches(of: #/\]\(([a-z-]+\.md)\) (\d+(?:\.\d+)*)/#).map { (String($0.1), $0.2) }
        for (page, numbers) in own + others {
          for number in numbers.split(separator: ", ") {
            #expect(
              pages[page]?.sections.contains(String(number)) == true,
              "docs/formats/\(name):\(index + 1): \(page) has no section \(number)")
          }
        }
        #expect(
          line.firstMatch(of: #/(?:^|[^\[(\/a-z-])[a-z-]+\.md \d/#) == nil,
          "docs/formats/\(name):\(index + 1): make a link of the page's name")
      }
    }
  }

  @Test("section numbers are unique, and each page has a table of marks and is in the index")
  func pages() throws {
    let index = try RepositoryFile("docs/formats/README.md").text
    for (name, page) in try formatPages() {
      #expect(Set(page.sections).count == page.sections.count, "\(name): a number is there twice")
      #expect(page.sections.count > 3, "\(name)")
      #expect(index.contains("[\(name)](\(name))"), "\(name)")
      #expect(page.file.text.contains("| mark | meaning |"), "\(name)")
    }
  }

  /// All pages of docs/formats except the index.
  private func formatPages() throws -> [String: MarkdownPage] {
    let files = try RepositoryFile.all(in: ["docs/formats"], endings: [".md"])
    let pages = files.map { (String($0.path.dropFirst("docs/formats/".count)), MarkdownPage($0)) }
    try #require(pages.count > 5)
    return Dictionary(uniqueKeysWithValues: pages.filter { $0.0 != "README.md" })
  }
}
