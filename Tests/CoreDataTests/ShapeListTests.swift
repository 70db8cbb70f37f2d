import DecantTestSupport
import Foundation
import Testing

/// Checks the files of `Tests/PolicyShapes`.
///
/// Each has code in a form that apps use. After “It stands for” its comment lists the names that the form uses.
@Suite("The list of shapes") struct ShapeListTests {
  private struct Shape {
    let path: String
    /// The names that follow “It stands for”.
    let names: [String]
    /// The words of the file without its comments.
    let words: Set<String>
    /// What tests can use: the file's types, or its functions if it only extends types.
    let uses: Set<String>
  }

  private static let tests = Repository.root.appendingPathComponent("Tests")

  private static func files(_ folder: String) throws -> [(path: String, text: String)] {
    let place = tests.appendingPathComponent(folder)
    return try FileManager.default.subpathsOfDirectory(atPath: place.path).filter { $0.hasSuffix(".swift") }
      .sorted().map {
        ("\(folder)/\($0)", try String(contentsOf: place.appendingPathComponent($0), encoding: .utf8))
      }
  }

  private static func words(_ text: String) -> Set<String> {
    Set(text.matches(of: /[A-Za-z]\w*/).map { String($0.0) })
  }

  private static func code(_ text: String) -> String {
    text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
  }

  private static func shapes() throws -> [Shape] {
    try files("PolicyShapes").flatMap { path, text -> [Shape] in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let code = code(text)
      let types = code.matches(of: /(?:class|struct|enum|protocol) ([A-Z]\w+)/).map { String($0.1) }
      let functions = code.matches(of: /func (\w+)/).map { String($0.1) }
      return lines.indices.filter { lines[$0].contains("It stands for:") }.map { start in
        let block = lines[start...].prefix { $0.hasPrefix("//") }.joined(separator: " ")
        return Shape(
          path: path, names: block.matches(of: /`([^`]+)`/).map { String($0.1) }, words: words(code),
          uses: Set(types.isEmpty ? functions : types))
      }
    }
  }

  @Test("there are at least 40 files; each shape uses all names that it stands for, and a test uses it")
  func shapes() throws {
    let shapes = try Self.shapes()
    #expect(Set(shapes.map(\.path)).count >= 40, "\(shapes.count)")
    let users = try (Self.files("CoreDataTests") + Self.files("ShapesWorker")).filter {
      $0.path != "CoreDataTests/ShapeListTests.swift"
    }.reduce(into: Set()) { $0.formUnion(Self.words(Self.code($1.text))) }
    let files = try Self.files("PolicyShapes").map { ($0.path, Self.words(Self.code($0.text))) }
    for shape in shapes {
      #expect(!shape.names.isEmpty, "\(shape.path)")
      for name in shape.names {
        // Expressions of mapping models are in the tests that run the policy.
        let known = name.hasPrefix("FUNCTION(") ? shape.words.union(users) : shape.words
        #expect(Self.words(name).subtracting(known).isEmpty, "\(shape.path): \(name)")
      }
      // A shape may be used by another file that a test runs.
      let others = files.filter { $0.0 != shape.path }.reduce(into: users) { $0.formUnion($1.1) }
      #expect(!shape.uses.isDisjoint(with: others), "\(shape.path): \(shape.uses)")
    }
  }
}
