import DecantModel
import Testing

@testable import DecantMapping

@Suite("Entities without an entity mapping in a printed text") struct RemovedEntitiesTextTests {
  @Test func aTextSaysWhatXcodesFormLeavesBehind() throws {
    let (source, destination) = try TextMappingTests.models()
    let left =
      #"{ source: "Notas", destination: "Notas 2", entityMappings: [{ source: "Nota", destination: "Nota" }] }"#
    let reading = try readText(left)
    let model = try reading.compiled(from: source, to: destination)
    let untaken = MappingCoverage([model], from: source, to: destination).untaken
    #expect(untaken.contains("Vieja"))
    #expect(
      MappingCheck.findings(in: model, from: source, to: destination, reading: reading, needsAllEntities: true)
        .contains { $0.severity == .error && $0.problem.contains("objects of “Vieja”") })
    let text = MappingModelText.text(of: model, from: source, to: destination, removing: untaken)
    let again = try readText(text)
    let whole = try again.compiled(from: source, to: destination)
    #expect(MappingCoverage([whole], from: source, to: destination).untaken.isEmpty, "\(text)")
    #expect(
      !MappingCheck.findings(in: whole, from: source, to: destination, reading: again, needsAllEntities: true)
        .contains { $0.problem.contains("no entity mapping takes objects") })
  }

  @Test func othersAreWrittenAsTheyWereAndNotSpelledOut() throws {
    let (source, destination) = try TextMappingTests.models()
    let reading = try readText(
      #"{ source: "Notas", destination: "Notas 2", others: "infer", entityMappings: [{ remove: "Vieja" }] }"#)
    let model = try reading.compiled(from: source, to: destination, completing: nil)
    let text = MappingModelText.text(of: model, from: source, to: destination)
    #expect(text.contains("others: \"infer\"") && !text.contains("destination: \"Nota\""), "\(text)")
    #expect(
      try readText(text).compiled(from: source, to: destination, completing: nil).comparable == model.comparable
    )
  }
}
