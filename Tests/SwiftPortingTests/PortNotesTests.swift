import Testing

@testable import SwiftPorting

@Suite("What “decant port” reports about files and static variables")
struct PortNotesTests {
  private func plan(_ files: KeyValuePairs<String, String>) -> PortPlan {
    PortPlan(files.map { AppSource(path: $0.key, bytes: Array($0.value.utf8)) })
  }

  @Test("stored static variables are reported because of language mode 6, but not computed or guarded ones")
  func statics() {
    let file = plan([
      "A.swift": """
      class P: NSEntityMigrationPolicy {
        static var made = 0
        private static var names: [String: Int] = [:]
        static private(set) var last: String?
        static var count: Int { made }
        static var other: Int
        { made }
        static let fixed = 1
        nonisolated(unsafe) static var free = 2
        @MainActor static var main = 3
        var own = 4
        static func f() { var here = 5 }
      }
      """
    ]).files.first
    #expect(file?.left.map(\.line) == [2, 3, 4], "\(file?.left as Any)")
    #expect(file?.left.first?.text.hasPrefix("static var made: language mode 6 refuses it") == true)
  }

  @Test("files that aren't copied are named with the reason")
  func unused() {
    let made = plan([
      "Nota.swift": "public class Nota: NSManagedObject {}",
      "Nota+View.swift": "extension Nota { var b: Int { 1 } }", "View.swift": "struct View {}",
    ])
    #expect(made.files.map(\.path) == ["Nota.swift"])
    #expect(
      made.unused.map { "\($0.path) \($0.reason)" } == [
        "Nota+View.swift only extends Nota, without a managed member; copy it by hand if a policy uses it",
        "View.swift has no policy, migrator, managed object class or transformer",
      ])
  }
}
