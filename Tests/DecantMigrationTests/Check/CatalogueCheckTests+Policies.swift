import CatalogueSupport
import DecantModel
import Foundation
import Testing

@testable import DecantMigration

/// What a check reports about policies, policy programs and functions.
extension CatalogueCheckTests {
  @Test func functionsAreLookedForInTheWorker() throws {
    try CatalogueFolder.with { folder in
      try folder.write(Self.versions, bundle: "Notas/Notas.xcdatamodeld")
      let call = "FUNCTION(CAST('App.Names', 'Class'), 'first:', $source.b)"
      try folder.write(
        "{ source: \"B\", destination: \"C\", entityMappings: [{ source: \"Note\", destination: \"Note\", attributes: "
          + "{ c: \"\(call)\" } }, \(Self.tag), \(Self.kind)] }", to: "Notas/Step.mapping.json5")
      func report(_ classes: RegisteredClasses) throws -> FamilyReport {
        try #require(CatalogueCheck.report(at: folder.url, classes: { _ in classes }).families.first)
      }
      let none = try report(.noWorker)
      #expect(
        messages(none).first?.hasPrefix(
          "The class “App.Names”, whose functions are called (Step: NoteToNote), is registered by no worker")
          == true)
      #expect(none.policies.map(\.kind) == [.functions] && none.count(.warning) == 0)
      let other = try report(.names(policies: ["App.Names"], functions: ["App.Dates"], worker: "/w"))
      #expect(
        messages(other) == [
          "The class “App.Names”, whose functions are called (Step: NoteToNote), isn't registered by the worker “/w”; its "
            + "classes with functions: App.Dates. Is “App.Dates” meant?"
        ])
      let well = try report(.names(policies: [], functions: ["worker.Names"], worker: "/w"))
      #expect(well.count(.error) == 0 && well.count(.warning) == 0)
      #expect(well.policies.map(\.path) == ["/w"])
    }
  }

  @Test func aPolicyClassWithoutWorkerIsAnError() throws {
    let policies =
      "{ source: \"Note\", destination: \"Note\", policy: \"App.Policy\" }, "
      + "{ source: \"Tag\", destination: \"Tag\", policy: \"App.Policy\" }, \(Self.kind)"
    try report(mappings: ["Step": policies]) { report in
      #expect(
        messages(report) == [
          "The policy class “App.Policy” (Step: NoteToNote, Step: TagToTag) is registered by no worker, because family.json5 "
            + "names no worker. Name a worker there (worker: \"/path/to/worker\"), or only for this check with "
            + "--worker. “decant worker new DIR --models …” writes a worker."
        ])
      #expect(report.policies.map(\.entityMappings) == [["Step: NoteToNote", "Step: TagToTag"]])
      #expect(
        report.pairs[0].mappingModels[0].entityMappings.first?.way
          == .rows(reason: "the policy App.Policy"))
    }
  }

  @Test func aFileThatCannotBeReadHidesWhatItsProgramsRead() throws {
    try report(
      mappings: ["Step": "{ nam: \"X\", source: \"Note\", destination: \"Note\" }"], files: ["helper.py": ""]
    ) { report in
      #expect(report.unusedFiles == [] && report.count(.note) == 0)
      #expect(
        messages(report).contains {
          $0.hasPrefix("it is not a readable mapping model: line 1")
            && $0.hasSuffix("perhaps “name” is meant.")
        }, "\(messages(report))")
    }
  }

  @Test func aPolicyProgramHasToBeThereAndExecutable() throws {
    func mapping(_ program: String) -> String {
      "{ source: \"Note\", destination: \"Note\", attributes: { c: \"$source.b\" }, "
        + "policy: { program: [\"\(program)\", \"policy.py\"] } }, \(Self.tag), "
        + Self.kind
    }
    try report(mappings: ["Step": mapping("sh")], files: ["policy.py": ""]) { report in
      #expect(report.count(.error) == 0 && report.policies.first?.path?.hasSuffix("/sh") == true)
      #expect(report.policies.map(\.name) == ["sh policy.py"])
    }
    // A program may read any file in its folder.
    try report(mappings: ["Step": mapping("sh")], files: ["policy.py": "", "helper.py": "", "words.txt": ""]) {
      #expect($0.unusedFiles == [])
      // The values that the program copies aren't known.
      #expect(messages($0, .note).count == 1 && messages($0, .note)[0].contains("no expression reads “Note.b”"))
    }
    try report(mappings: ["Step": mapping("sh")]) { report in
      #expect(
        messages(report).first?.hasPrefix(
          "Step: NoteToNote: The policy program “sh policy.py” has nothing to run: there is no file “") == true)
      #expect(report.policies.map(\.path) == [nil])
    }
    for program in ["./policy.py", "/no/such/program", "no-such-program", "/"] {
      try report(mappings: ["Step": mapping(program)], files: ["policy.py": ""]) { report in
        #expect(
          messages(report).first?.hasPrefix("Step: NoteToNote: The policy program “\(program) policy.py”")
            == true)
        #expect(report.policies.map(\.path) == [nil])
      }
    }
  }
}
