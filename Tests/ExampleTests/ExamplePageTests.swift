import DecantTestSupport
import Foundation
import Testing

/// Reads pages, and compares outputs with patterns.
@Suite("Pages of the examples") struct ExamplePageTests {
  @Test("commands are read with the output that follows them, and only in console blocks")
  func commands() {
    let page = ExamplePage(
      "P", path: "P.md", text: "a\n```console\n$ one \\\n  more\nout\n\n$ two\n```\n$ three\n```\n$ four\n```\n"
    )
    #expect(
      page.commands == [
        .init(line: 3, text: "one \\\n  more", output: ["out", ""]), .init(line: 7, text: "two"),
      ])
  }

  @Test(
    "only “…” in a pattern matches any text",
    arguments: [
      (["a"], ["a"], true), (["a"], ["b"], false), (["a"], [], false), ([], ["a"], false), ([], [], true),
      (["…"], [], true), (["…"], ["a", "b"], true), (["…", "b"], ["a", "b"], true),
      (["…", "b"], ["b", "a"], false),
      (["a … s."], ["a 0.8 s."], true), (["a … s."], ["a 0.8 m."], false), (["a…a"], ["a"], false),
      (["…x…y"], ["1x2y"], true), (["…x…y"], ["1y2x"], false), (["a", "…", "c"], ["a", "b", "c"], true),
    ] as [([String], [String], Bool)])
  func patterns(pattern: [String], output: [String], matches: Bool) {
    #expect(OutputPattern(lines: pattern).matches(output) == matches)
  }

  @Test("the index names every page, each page has a folder with its files, and the README links the index")
  func index() throws {
    func names(_ folder: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: Repository.root.appendingPathComponent(folder).path)
        .filter { !$0.hasPrefix(".") }.sorted()
    }
    let index = try String(
      contentsOf: Repository.root.appendingPathComponent("docs/examples.md"), encoding: .utf8)
    let pages = try names("docs/examples").map { $0.replacingOccurrences(of: ".md", with: "") }
    #expect(try pages == names("config/examples").filter { $0.first?.isNumber == true })
    for page in pages {
      #expect(index.contains("(examples/\(page).md)"))
      #expect(try !ExamplePage(page).commands.isEmpty)
    }
    #expect(
      try String(contentsOf: Repository.root.appendingPathComponent("README.md"), encoding: .utf8)
        .contains("(docs/examples.md)"))
  }
}
