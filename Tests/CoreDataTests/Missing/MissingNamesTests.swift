import DecantTestSupport
import Foundation
import Testing

@Suite("Names of Core Data that are missing")
struct MissingNamesTests {
  @Test("the page lists exactly the unavailable names, each with its message")
  func page() throws {
    let page = try String(
      contentsOf: Repository.root.appendingPathComponent("docs/what-is-missing.md"), encoding: .utf8)
    let listed = page.matches(of: /\| `([^`]+)` \| (.+) \|/).map {
      UnavailableName(name: String($0.1), message: String($0.2))
    }
    let declared = try UnavailableName.all()
    #expect(declared.count > 150)
    #expect(Set(listed).subtracting(declared).isEmpty)
    #expect(Set(declared).subtracting(listed).isEmpty)
    #expect(listed.count == Set(listed).count && declared.count == Set(declared).count)
  }

  @Test("the page's example shows the compiler's message")
  func example() throws {
    let page = try String(
      contentsOf: Repository.root.appendingPathComponent("docs/what-is-missing.md"), encoding: .utf8)
    let name = try #require(try UnavailableName.all().first { $0.name == "NSBatchUpdateRequest" })
    #expect(page.contains("error: '\(name.name)' is unavailable: \(name.message)\n"))
  }

  @Test(
    "the compiler says for each name what to use",
    .enabled(if: SwiftTypeCheck.isPossible, "\(SwiftTypeCheck.reason)"))
  func compiler() throws {
    let declared = try UnavailableName.all()
    let uses = MissingNameUses.all
    #expect(Set(uses.map(\.key)) == Set(declared.map(\.name)))
    let messages = Dictionary(declared.map { ($0.name, $0.message) }, uniquingKeysWith: { first, _ in first })
    let folder = try TemporaryFolder()
    let lines = uses.enumerated().map { number, use in
      "func use\(number)(\(MissingNameUses.values)) throws { \(use.value) }"
    }
    let file = try folder.write(
      (["import Foundation", "import CoreData"] + lines).joined(separator: "\n"), to: "uses.swift")
    let check = try SwiftTypeCheck.run([file.path])
    #expect(check.code != 0)
    var said: [Int: String] = [:]
    for match in check.messages.matches(of: /uses\.swift:(\d+):\d+: error: (.*)/) {
      if let line = Int(match.1) { said[line, default: ""] += match.2 + "\n" }
    }
    for (number, use) in uses.enumerated() {
      let words = said[number + 3] ?? "nothing"
      #expect(words.contains("unavailable: \(messages[use.key] ?? "?")"), "\(use.key): \(words)")
    }
  }

  @Test(
    "each name that the messages propose exists with its labels",
    .enabled(if: SwiftTypeCheck.isPossible, "\(SwiftTypeCheck.reason)"))
  func advice() throws {
    let proposed = Set(try UnavailableName.all().flatMap { AdviceUses.names(in: $0.message) })
    #expect(proposed == Set(AdviceUses.all.map(\.key)))
    let folder = try TemporaryFolder()
    let lines = AdviceUses.all.enumerated().map { number, use in
      "func use\(number)(\(MissingNameUses.values)) throws { \(use.value) }"
    }
    let file = try folder.write((["import CoreData"] + lines).joined(separator: "\n"), to: "advice.swift")
    let check = try SwiftTypeCheck.run([file.path])
    #expect(check.code == 0 && !check.messages.contains("warning:"), "\(check.messages)")
  }

  @Test(
    "uses of undoManager, and NSManagedObjectMergeError in an error handler, compile",
    .enabled(if: SwiftTypeCheck.isPossible, "\(SwiftTypeCheck.reason)"))
  func harmless() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      """
      import CoreData
      func prepare(_ context: NSManagedObjectContext, _ error: NSError) -> Bool {
        context.undoManager?.removeAllActions()
        context.undoManager?.disableUndoRegistration()
        context.undoManager = UndoManager()
        context.undoManager = nil
        return error.code == NSManagedObjectMergeError
      }
      func predicate() -> NSPredicate { NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(value: true)]) }
      """, to: "harmless.swift")
    let check = try SwiftTypeCheck.run([file.path])
    #expect(check.code == 0, "\(check.messages)")
  }
}
