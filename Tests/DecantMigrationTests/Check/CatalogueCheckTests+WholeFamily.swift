import CatalogueSupport
import DecantCatalogue
import DecantModel
import Foundation
import Testing

@testable import DecantMigration

/// Families with several faults, and several families.
extension CatalogueCheckTests {
  @Test func allThatIsWrongInAFamilyIsToldAtOnceWithFileAndLine() throws {
    let settings = """
      {
        wroker: "/x",
        chunkSize: 0,
        target: "Z",
        acceptStaleHashes: ["Step", "Stepp"],
      }
      """
    let step = """
      {
        source: "B", destination: "C", entityMappings: [
          { source: "Note", destination: "Note",
            filter: "b > 5",
            attributes: {
              c: "$source.z" }, policy: "App.Policy" },
          \(Self.tag), \(Self.kind) ] }
      """
    let slips = """
      { source: "B", destintion: "C",
        entityMappings: [
          { source: "Note", destination: "Note", filter: "b ==", attributes: { c: 1,
              d: "1 +" } },
          { sorce: "Tag" } ] }
      """
    let nowhere = "{ source: \"B\", destination: \"X\", entityMappings: [{ source: \"Tag\", typ: 1 }] }"
    try report(
      settings: settings,
      files: [
        "Step.mapping.json5": step, "Slips.mapping.json5": slips, "Nowhere.mapping.json5": nowhere,
        "readme.txt": "",
      ]
    ) { report in
      let told = report.findings.filter { $0.severity == .error }.map { finding in
        let file = finding.file.map { URL(fileURLWithPath: $0).lastPathComponent } ?? "-"
        return "\(file):\(finding.line.map(String.init) ?? "-") \(finding.message.prefix(60))"
      }
      #expect(
        told == [
          "family.json5:3 “chunkSize” must be a whole number from 1 to 100000000.",
          "family.json5:2 there is no key “wroker”; perhaps “worker” is meant.",
          "Slips.mapping.json5:1 it is not a readable mapping model: line 1, column 28: the m",
          "Slips.mapping.json5:3 it is not a readable mapping model: line 3, column 57: entit",
          "Slips.mapping.json5:3 it is not a readable mapping model: line 3, column 77: attri",
          "Slips.mapping.json5:4 it is not a readable mapping model: line 4, column 16: entit",
          "Slips.mapping.json5:5 it is not a readable mapping model: line 5, column 14: the e",
          "Nowhere.mapping.json5:1 the family has no version “X”; the versions are: A, B, C. Co",
          "Nowhere.mapping.json5:1 it is not a readable mapping model: line 1, column 73: entit",
          "family.json5:4 “target” names “Z”, but there is no such version; there are:",
          "family.json5:5 “acceptStaleHashes” names the mapping model “Stepp”, which t",
          "Step.mapping.json5:4 entity mapping “NoteToNote”: filter: “b > 5” can't be evalua",
          "Step.mapping.json5:6 entity mapping “NoteToNote”, “c”: the source entity “Note” o",
        ], "\(told)")
      // Findings that only follow from the others aren't reported.
      #expect(report.versions == [] && report.unusedFiles == [] && !report.isUsable)
      #expect(report.pairs.map(\.mappingModels).map { $0.map(\.name) } == [["Step"]])
      #expect(!report.findings.contains { $0.message.contains("registered by no worker") })
      #expect(!report.findings.contains { $0.message.contains("path to the target uses this step") })
    }
    try report(settings: "{ target: 'A',\n 5 }") { report in
      #expect(report.findings.map(\.line) == [2] && report.findings[0].file?.hasSuffix("/family.json5") == true)
    }
  }

  @Test func aBrokenFamilyIsAnErrorAndTheOthersAreLookedAt() throws {
    try CatalogueFolder.with { folder in
      try folder.write(Self.versions, bundle: "Notas/Notas.xcdatamodeld")
      try folder.write("{ tarjet: 1 }", to: "Otra/family.json5")
      let report = try CatalogueCheck.report(at: folder.url)
      #expect(report.families.map(\.isUsable) == [true, false])
      #expect(report.count(.error) == 2 && report.families[0].count(.error) == 0)
      #expect(
        report.families[1].findings.last?.message == "there is no key “tarjet”; perhaps “target” is meant.")
      #expect(report.families[1].versions == [])
      #expect(try CatalogueCheck.report(at: folder.url, family: "Otra").families.map(\.name) == ["Otra"])
    }
    #expect(throws: CatalogueError.self) { try CatalogueCheck.report(at: URL(fileURLWithPath: "/no/such")) }
  }
}
