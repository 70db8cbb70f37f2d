import DecantModel
import PredicateFormat
import Testing

@testable import DecantMapping

/// Version hashes in a mapping model that differ from the models' hashes.
@Suite struct HashCheckTests {
  @Test func staleHashesAreErrorsThatNameWhatDiffersUnlessTheyAreAccepted() throws {
    var text = EditorText()
    let mapping = text.mapping([("sourcename", "A"), ("destinationname", "A")])
    let reading = try text.read(
      [mapping],
      data: [
        ("sourcemodeldata", EditorText.model(["A": ["x", "gone"]])),
        ("destinationmodeldata", EditorText.model(["A": ["x"]])),
      ])
    let source = try model(entity("A", [optional("x", .integer16), optional("new")], [toOne("r", "A")]))
    let destination = try model(entity("A", [optional("x")]))
    let made = try reading.compiled(from: source, to: destination)
    let findings = MappingCheck.findings(in: made, from: source, to: destination, reading: reading)
    #expect(findings.map(\.severity) == [.error] && findings.map(\.subject) == [.hash])
    let there = try #require(reading.sourceModel?.entityVersionHashes["A"])
    let here = try #require(source.entityVersionHashes["A"])
    let state =
      "it was made for another state of the source entity “A” (version hash \(there.hexadecimal) in the mapping model, "
      + "\(here.hexadecimal) in the model)"
    #expect(
      findings.map(\.problem) == [
        "\(state): since then attribute “gone” is gone, attribute “new” is new, "
          + "attribute “x” changed, relationship “r” is new"
      ])
    #expect(findings[0].description.hasPrefix("\(reading.file.path): entity mapping “AToA”: it was made"))
    let accepted = MappingCheck.findings(
      in: made, from: source, to: destination, reading: reading, acceptsStaleHashes: true)
    #expect(accepted.map(\.severity) == [.warning])
    // Without copies of the models, the message only names the entity.
    #expect(
      MappingCheck.findings(in: made, from: source, to: destination).map(\.problem) == [
        state
      ])
  }

  @Test func aTextMayStateHashesAndAcceptThatTheyAreStale() throws {
    let hash = String(repeating: "0", count: 64)
    let mapping = "{ source: 'Tag', destination: 'Tag', sourceHash: '\(hash)' }"
    #expect(try findings(mapping).first?.hasPrefix("error TagToTag: it was made for another state") == true)
    #expect(
      try findings(mapping, header: "acceptStaleHashes: true,").first?.hasPrefix("warning TagToTag:") == true)
  }
}
