import Foundation
import PredicateFormat
import Testing

/// Every text gives a result or an error, and never a crash.
@Suite struct HostileTextTests {
  private static let words = [
    "a", "AND", "NOT", "(", ")", "{", "}", "[", "]", ",", ".", "==", "IN", "<", "'x'", "\"", "'", "\\", "1",
    "-", "**", "+",
    "$x", "@count", "@", "#", "%@", "%K", "SUBQUERY", "TERNARY", "CAST", "FUNCTION", "FETCH", "ANY", "add:to:",
    ":", ":=",
    "é", "💡", "\u{0}", "UTI-EQUALS", "LIKE[c]", "nil", "SELF", "FIRST", "0x", "1e", "9999999999999999999999",
    "\n", "..",
  ]

  @Test(arguments: [11, 12])
  func wordsByChanceAreReadOrRefused(seed: UInt64) throws {
    var chance = FormatGenerator(seed: seed)
    for _ in 0..<3000 {
      let text = (0..<chance.number(below: 14)).map { _ in chance.pick(Self.words) }
        .joined(separator: chance.pick(["", " "]))
      do throws(FormatError) {
        let predicate = try FormatPredicate(
          parsing: text, arguments: chance.pick([nil, [.string("k"), .integer(1)]]))
        #expect(try FormatPredicate(parsing: predicate.description) == predicate, "seed \(seed): \(text)")
      } catch {
        #expect(error.line >= 1 && error.column >= 1 && !error.excerpt.isEmpty)
      }
    }
  }

  @Test(arguments: [21, 22])
  func spoiledTextsAreReadOrRefused(seed: UInt64) throws {
    var chance = FormatGenerator(seed: seed)
    for _ in 0..<400 {
      var bytes = Array(chance.predicate(3).description.utf8)
      for _ in 0..<(1 + chance.number(below: 3)) where !bytes.isEmpty {
        bytes[chance.number(below: bytes.count)] = UInt8(chance.number(below: 256))
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let predicate = try? FormatPredicate(parsing: text) else { continue }
      #expect(try FormatPredicate(parsing: predicate.description) == predicate, "seed \(seed): \(text)")
    }
  }

  @Test(arguments: [31, 32])
  func whatIsMadeByChanceHasAValueOrAnError(seed: UInt64) throws {
    var chance = FormatGenerator(seed: seed)
    var values = 0
    for _ in 0..<1500 {
      var keys: [String: Value] = [:]
      for key in ["name", "a1", "_x", "size", "année", "function"] {
        keys[key] = chance.pick([
          chance.value(), .array([chance.value(), chance.value()]), .array([]), .set([chance.value()]),
        ])
      }
      var scene = Scene(keys, variables: ["source": Row("s", keys).asValue])
      scene.context.maximumSteps = 100_000
      if (try? chance.predicate(3).holds(in: scene.context)) != nil { values += 1 }
      if (try? chance.expression(3).value(in: scene.context)) != nil { values += 1 }
    }
    #expect(values > 300)
  }
}
