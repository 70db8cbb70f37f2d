import Foundation
import Testing

/// The files of `Tests/PolicyShapes`: each says which names of Apple's it stands for.
@Suite("The list of shapes") struct ShapeListTests {
  private struct Shape {
    let path: String
    /// The names behind “It stands for”.
    let names: [String]
    /// The file without its comments.
    let code: String
    let types: [String]
  }

  private static let tests = NotasShop.package.appendingPathComponent("Tests")

  private static func files(_ folder: String) throws -> [(path: String, text: String)] {
    let place = tests.appendingPathComponent(folder)
    return try FileManager.default.subpathsOfDirectory(atPath: place.path).filter { $0.hasSuffix(".swift") }
      .sorted().map {
        ("\(folder)/\($0)", try String(contentsOf: place.appendingPathComponent($0), encoding: .utf8))
      }
  }

  private static func shapes() throws -> [Shape] {
    try files("PolicyShapes").flatMap { path, text -> [Shape] in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let code = lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
      let types = code.matches(of: /(?:class|struct|enum|protocol) ([A-Z]\w+)/).map { String($0.1) }
      return lines.indices.filter { lines[$0].contains("It stands for:") }.map { start in
        let block = lines[start...].prefix { $0.hasPrefix("//") }.joined(separator: " ")
        return Shape(
          path: path, names: block.matches(of: /`([^`]+)`/).map { String($0.1) }, code: code, types: types)
      }
    }
  }

  @Test("there are at least 40, and each uses a name that it stands for and is used by a test")
  func shapes() throws {
    let shapes = try Self.shapes()
    #expect(Set(shapes.map(\.path)).count >= 40, "\(shapes.count)")
    let users = try (Self.files("CoreDataTests") + Self.files("ShapesWorker")).filter {
      $0.path != "CoreDataTests/ShapeListTests.swift"
    }.map(\.text).joined()
    // A shape may be used by another file that a test runs.
    let others = try Self.files("PolicyShapes")
    for shape in shapes {
      let words = shape.names.flatMap { $0.matches(of: /[A-Za-z_]\w{2,}/).map { String($0.0) } }
      let found = Set(words).filter { shape.code.contains($0) }
      #expect(!found.isEmpty, "\(shape.path): \(shape.names)")
      let isUsed = shape.types.contains { type in
        users.contains(type)
          || others.contains { $0.path != shape.path && $0.text.contains(type) }
      }
      #expect(isUsed || shape.types.isEmpty, "\(shape.path): \(shape.types)")
    }
  }
}
