import DecantModel
import Foundation
import PredicateFormat
import Testing

@testable import DecantMapping

@Suite struct MappingTextTests {
  @Test func aMappingModelIsWrittenWithoutWhatTheRulesSay() throws {
    let (source, destination) = try TextMappingTests.models()
    let model = try readText(TextMappingTests.notes).compiled(from: source, to: destination)
    let text = MappingModelText.text(of: model, from: source, to: destination)
    #expect(
      text == """
        // Attributes and relationships that aren't named are mapped by renaming identifier and name.
        {
          name: "StepOne",
          source: "Notas",
          destination: "Notas 2",
          order: 1,
          validation: "quarantine",
          acceptStaleHashes: true,
          entityMappings: [
            { name: "NotaToCategoria", source: "Nota", destination: "Categoria",
              filter: "categoria != nil",
              uniqueBy: "$source.categoria",
              attributes: { nombre: "$source.categoria" } },
            { name: "NotaToNota", source: "Nota", destination: "Nota",
              policy: { program: ["python3", "policy.py"] },
              chunks: [
                'fecha < CAST(0, "NSDate")',
                'NOT fecha < CAST(0, "NSDate")',
              ],
              relationships: { categorias: { path: "$source" }, hijas: { mapping: null }, otras: null },
              userInfo: { "one two": "3" } },
            { add: "Nueva" },
            { remove: "Vieja" },
          ],
        }

        """)
    #expect(try readText(text).compiled(from: source, to: destination).comparable == model.comparable)
  }

  @Test func withoutModelsEverythingIsWritten() throws {
    let (source, destination) = try TextMappingTests.models()
    let model = try readText(TextMappingTests.notes).compiled(from: source, to: destination)
    let text = MappingModelText.text(of: model, from: nil, to: nil)
    #expect(text.contains("momento: \"$source.fecha\""))
    #expect(text.contains("type: \"transform\""))
    #expect(text.contains("sourceHash: \"\(try #require(source.entityVersionHashes["Nota"]))\""))
    #expect(try readText(text).compiled(from: source, to: destination).comparable == model.comparable)
  }

  @Test func staleHashesAreWrittenWithAComment() throws {
    let (source, destination) = (try model(entity("A")), try model(entity("A", [optional("x")])))
    var mapping = try CompileRuleTests.compiled(CompileRuleTests.draft("A", "A"), from: source, to: destination)
    mapping.entityMappings[0].sourceHash = destination.entityVersionHashes["A"]
    mapping.sourceVersion = "One"
    mapping.destinationVersion = "Two"
    let text = MappingModelText.text(of: mapping, from: source, to: destination)
    #expect(text.contains("// sourceHash: made for another state of the model."))
    #expect(try readText(text).compiled(from: source, to: destination).comparable == mapping.comparable)
  }

  @Test func namesOfEveryKindAreQuotedSoThatTheyReadBack() throws {
    let names = [
      "a b", "1x", "", "“q”", "a\"b", "a'b\"c", "back\\slash", "tab\tend", "\u{2028}", "é", "null", "$a_1",
    ]
    for name in names where !name.isEmpty {
      let text = "{ source: \"A\", destination: \"B\", \(JSON5Text.key(name)): \(JSON5Text.quoted(name)) }"
      guard case .object(let object) = try JSON5Value.parse(Data(text.utf8)) else {
        Issue.record("no object")
        continue
      }
      #expect(object[name] == .string(name), "\(text)")
    }
    #expect(JSON5Text.key("abc") == "abc" && JSON5Text.quoted("a\"b") == "'a\"b'")
    #expect(JSON5Text.comment("a\nb\u{2028}c") == "// a b c")
  }

  @Test func aFileThatDoesntNameItsVersionsSaysSo() {
    let text = MappingModelText.text(
      of: MappingModel(name: "M", origin: .inferred, entityMappings: []), from: nil, to: nil)
    #expect(text.contains("  // The file doesn't say which versions it is for: write their names here.\n"))
    #expect(text.contains("  source: \"SOURCE\",\n  destination: \"DESTINATION\",\n  entityMappings: [],\n}\n"))
  }
}
