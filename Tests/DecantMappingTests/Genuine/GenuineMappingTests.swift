import DecantModel
import DecantTestSupport
import Foundation
import PredicateFormat
import Testing

@testable import DecantMapping

@Suite(.enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)")) struct GenuineMappingTests {
  @Test func everyMappingModelIsReadAndCompiled() throws {
    var (mappings, rows, written) = (0, 0, 0)
    for url in GenuineMappings.sources {
      let reading = try GenuineMappings.read(url)
      let model = try reading.compiled()
      #expect(!model.entityMappings.isEmpty, "\(GenuineMappings.label(url))")
      mappings += model.entityMappings.count
      for entity in model.entityMappings {
        rows += entity.attributeMappings.count + entity.relationshipMappings.count
        #expect(entity.sourceEntityName == nil || entity.sourceHash != nil)
        #expect(entity.destinationEntityName == nil || entity.destinationHash != nil)
      }
      guard case .draft(let draft) = reading.content else {
        Issue.record("\(url.path) isn't a draft")
        continue
      }
      for entity in draft.entityMappings {
        written += entity.attributes.values.count { if case .expression = $0 { true } else { false } }
        written += entity.relationships.values.count { if case .expression = $0 { true } else { false } }
      }
    }
    #expect(GenuineMappings.sources.count == 47)
    print(
      "read \(GenuineMappings.sources.count) of \(GenuineMappings.sources.count) mapping models: \(mappings) entity "
        + "mappings, \(rows) rows, \(written) of them with written expressions")
  }

  @Test func eachTwinCompilesToTheSameMappingsRowsExpressionsAndHashes() throws {
    var (mappings, rows, hashes) = (0, 0, 0)
    let twins = GenuineMappings.twins
    for (compiledURL, sourceURL) in twins {
      let label = GenuineMappings.label(compiledURL)
      let compiled = try GenuineMappings.read(compiledURL)
      #expect(compiled.warnings == [], "\(label)")
      let expected = try compiled.compiled()
      let made = try GenuineMappings.read(sourceURL).compiled()
      #expect(made.entityMappings.map(\.name) == expected.entityMappings.map(\.name), "\(label)")
      for (one, other) in zip(made.entityMappings, expected.entityMappings) {
        mappings += 1
        rows += other.attributeMappings.count + other.relationshipMappings.count
        hashes += [other.sourceHash, other.destinationHash].compactMap { $0 }.count
        #expect(one.attributeMappings == other.attributeMappings, "\(label) \(one.name)")
        #expect(one.relationshipMappings == other.relationshipMappings, "\(label) \(one.name)")
        #expect(one == other, "\(label) \(one.name)")
      }
    }
    #expect(twins.count == 8)
    print("\(twins.count) twins: \(mappings) entity mappings, \(rows) rows, \(hashes) hashes are the same")
    #expect(mappings == 45)
    #expect(rows == 390)
    #expect(hashes == 87)
  }

  @Test func theTextOfEachReadsBackToAnEqualMappingModel() throws {
    var count = 0
    for url in GenuineMappings.sources + GenuineMappings.twins.map(\.compiled) {
      let label = GenuineMappings.label(url)
      let source = url.deletingPathExtension().appendingPathExtension("xcmappingmodel")
      let models = try GenuineMappings.read(source)
      var model = try GenuineMappings.read(url).compiled()
      model.sourceVersion = model.sourceVersion ?? "A"
      model.destinationVersion = model.destinationVersion ?? "B"
      let text = MappingModelText.text(of: model, from: models.sourceModel, to: models.destinationModel)
      let back = try readText(text).compiled(from: models.sourceModel, to: models.destinationModel)
      #expect(back.comparable == model.comparable, "\(label)\n\(text)")
      // Without the models the text has everything, and still reads back to an equal mapping model.
      let full = MappingModelText.text(of: model, from: nil, to: nil)
      let again = try readText(full).compiled(from: models.sourceModel, to: models.destinationModel)
      #expect(again.comparable == model.comparable, "\(label)\n\(full)")
      count += 1
    }
    print("the texts of \(count) mapping models read back equal")
    #expect(count == 55)
  }

  @Test func theGenuineModelsAreFreeOfErrorsAgainstTheirOwnCopies() throws {
    var warnings = 0
    for url in GenuineMappings.sources {
      let reading = try GenuineMappings.read(url)
      let source = try #require(reading.sourceModel)
      let destination = try #require(reading.destinationModel)
      let findings = MappingCheck.findings(
        in: try reading.compiled(), from: source, to: destination, reading: reading)
      #expect(findings.filter { $0.severity == .error } == [], "\(GenuineMappings.label(url))")
      warnings += findings.count
    }
    print("\(GenuineMappings.sources.count) mapping models against their own copies: \(warnings) warnings")
  }
}

/// Reads a mapping model from its text.
func readText(_ text: String, name: String = "Text") throws -> MappingModelReading {
  try withTemporaryFolder { folder in
    let url = folder.appendingPathComponent("\(name).mapping.json5")
    try Data(text.utf8).write(to: url)
    return try MappingModelReading.read(at: url)
  }
}
