import Testing

/// Extracts citations from sample texts.
@Suite("Reading citations") struct CitationReadingTests {
  private func citations(_ text: String) -> [String] {
    Citation.all(in: RepositoryFile("a", text: text)).map {
      ([$0.place, $0.page] + $0.sections).joined(separator: " ")
    }
  }

  @Test(
    "citations are found: single numbers, lists, at a sentence's end and over a line's end",
    arguments: [
      ("/// x (docs/formats/a-b.md 4.4); y", ["a:1 a-b.md 4.4"]),
      ("/// x.\n/// docs/formats/a.md 4.", ["a:2 a.md 4"]),
      ("// docs/formats/a.md 4.1, 4.3, 11 and docs/formats/b.md 2", ["a:1 a.md 4.1 4.3 11", "a:1 b.md 2"]),
      ("// docs/formats/a.md 3.3 and 8 of it", ["a:1 a.md 3.3 8"]),
      ("  /// docs/formats/a.md\n  /// 4.4, x", ["a:1 a.md 4.4"]),
      ("  // docs/formats/a.md 4.1 and\n  // 4.4 x", ["a:1 a.md 4.1 4.4"]),
      ("# docs/formats/a.md\n# 4.4", ["a:1 a.md 4.4"]),
      ("// docs/formats/a.md, “Values”", ["a:1 a.md"]),
      ("// docs/formats/a.md 2nd", ["a:1 a.md"]),
      ("// docs/a.md 4.4", []),
    ])
  func read(text: String, expected: [String]) {
    #expect(citations(text) == expected)
  }

  @Test(
    "cited headings are found, also over a line's end",
    arguments: [
      ("// docs/a.md, “Reference stores”", ["docs/a.md Reference stores"]),
      ("/// (docs/b/a.md,\n  /// “Reference\n  /// stores”)", ["docs/b/a.md Reference stores"]),
      ("/// docs/a.md “Reference stores”", []),
    ])
  func headings(text: String, expected: [String]) {
    let found = HeadingCitation.all(in: RepositoryFile("a", text: text))
    #expect(found.map { "\($0.page) \($0.heading)" } == expected)
  }

  @Test(
    "incomplete citations are found",
    arguments: [
      ("/// x (core-data-sqlite.md 4.4)", 1), ("/// x (core-data-sqlite.md, title)", 1),
      ("/// mapping-models.md 3", 1), ("/// docs/mapping-models.md 3", 1), ("/// docs/mapping-models.md, x", 0),
      ("/// mapping-models.md", 0), ("/// docs/formats/core-data-sqlite.md 4.4", 0),
      ("/// x (4.4)\nlet y = 1", 1), ("/// x (7, “Values”)", 1), ("let y = 1  // x (4.4; z)", 1),
      ("let y = f(4.4)", 0),
      ("@Test(\"4.4: x\")", 1), ("@Test(\n  \"4.1, 4.2: x\", arguments: y)", 1), ("@Test(\"x 4.4: y\")", 0),
    ])
  func loose(text: String, count: Int) {
    let pages: Set = ["core-data-sqlite.md", "mapping-models.md"]
    let found = LooseCitation.all(in: RepositoryFile("a", text: text), formatPages: pages)
    #expect(found.count == count, "\(found)")
  }

  @Test("numbered headings and list items are sections, but not those in code")
  func markdown() {
    let text = """
      # T
      ## 1. One `x`
      ### 1.1 A
      - **1.2** b
      ## One `x`!
      ### 1.1 A
      ```
      ## 2. [no](no.md)
      ```
      See [a](b.md#c), `[no](no.md)` and [d](#1-one-x).
      """
    let page = MarkdownPage(RepositoryFile("p", text: text))
    #expect(page.sections == ["1", "1.1", "1.2", "1.1"])
    #expect(page.anchors == ["t", "1-one-x", "11-a", "one-x", "11-a-1"])
    #expect(page.links.map(\.destination) == ["b.md#c", "#1-one-x"])
    #expect(page.links.map(\.line) == [10, 10])
  }
}
