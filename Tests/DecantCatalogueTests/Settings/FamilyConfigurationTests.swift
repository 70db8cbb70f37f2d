import CatalogueSupport
import DecantMapping
import DecantModel
import Foundation
import Testing

@testable import DecantCatalogue

@Suite struct FamilyConfigurationTests {
  /// Calls the body with a family of the versions A (Note.a) and B (Memo.b) and the mapping model `One`.
  ///
  /// - Parameter text: The text of `family.json5`.
  private func folder(_ text: String, _ body: (CatalogueFolder) throws -> Void) throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a")), ("B", note("b", named: "Memo"))], bundle: "Notas/Notas.xcdatamodeld")
      try folder.writeMapping("Notas/One", from: "A", to: "B")
      try folder.write(text, to: "Notas/family.json5")
      try body(folder)
    }
  }

  @Test(.timeLimit(.minutes(10)), arguments: ["fifo", "socket", "folder", "long"])
  func whatIsNoFileOrTooLongIsNamedAndDoesntHang(kind: String) throws {
    try folder("{}") { folder in
      let path = folder.url.appendingPathComponent("Notas/family.json5").path
      unlink(path)
      switch kind {
      case "fifo": try #require(mkfifo(path, 0o600) == 0)
      case "socket": try #require(mknod(path, S_IFSOCK | 0o600, 0) == 0)
      case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      default:
        try folder.write("", to: "Notas/family.json5")
        truncate(path, 5 << 20)
      }
      let words =
        kind == "long" ? "more than 4 MiB, the most that is read of such a file" : "it isn't a regular file"
      #expect(
        try folder.fault("Notas")
          == "Notas/family.json5: it can't be read: it has \(words)"
          .replacing("it has it is", with: "it is"))
      // Code that looks for lines in the file doesn't hang either.
      #expect(try folder.read().brokenFamilies.first?.sentences.isEmpty == false)
      #expect(FamilyWorker.place(of: "Notas", in: folder.url) == nil)
    }
  }

  @Test func everyKeyIsTaken() throws {
    let text = """
      { // settings
        target: 'A', path: ["A", "B"], inference: "refuse", dataLoss: "refuse", cloudKit: "reset",
        validation: "report", order: ["One"],
        requireExternalData: true, chunkSize: 5000, unknownVersions: "infer", rewrite: true,
        keepAssociations: true, acceptStaleHashes: true, worker: "/opt/worker",
        renames: [{ entities: { Note: "Memo" } }, { to: "B", properties: { "Note.a": "b" } }],
        acceptedLosses: ["Note.a", "Memo"], strayRows: "quarantine",
      }
      """
    try folder(text) { folder in
      let configuration = try folder.family("Notas").configuration
      #expect(configuration.target == "A")
      #expect(configuration.path == [FamilyConfiguration.Hop(source: "A", destination: "B")])
      #expect(configuration.inference == .refuse && configuration.dataLoss == .refuse)
      #expect(configuration.cloudKit == .reset && configuration.validation == .report)
      #expect(configuration.order == ["One"])
      #expect(configuration.requireExternalData && configuration.chunkSize == 5000)
      #expect(configuration.rewrite && configuration.keepAssociations)
      #expect(configuration.acceptStaleHashes == .accept && configuration.worker == "/opt/worker")
      #expect(configuration.unknownVersions == .infer && configuration.strayRows == .quarantine)
      #expect(
        configuration.acceptedLosses.names == [.init(entity: "Note", property: "a"), .init(entity: "Memo")])
      #expect(
        try folder.family("Notas").warnings == [
          "\(folder.url.path)/Notas/family.json5: “path” ends with “B” and not with the target “A”; "
            + "only stores of versions on the path take it. Let it end at the target, or set “target”."
        ])
      #expect(configuration.renames(to: ["A"]) == Renames(entities: ["Note": "Memo"]))
      let property = Renames.Property(entity: "Note", name: "a")
      #expect(
        configuration.renames(to: ["B"]) == Renames(entities: ["Note": "Memo"], properties: [property: "b"]))
    }
  }

  @Test func withoutAFileEverythingIsAsDocumented() {
    let configuration = FamilyConfiguration()
    #expect(configuration.inference == .allow && configuration.dataLoss == .report)
    #expect(configuration.cloudKit == .refuse && configuration.validation == nil)
    #expect(configuration.strayRows == .refuse && !configuration.rewrite && !configuration.keepAssociations)
    #expect(!configuration.requireExternalData && configuration.target == nil && configuration.path.isEmpty)
  }

  @Test func aPathMayBePairs() throws {
    try folder("{ path: [[\"A\", \"B\"]] }") { folder in
      let path = try folder.family("Notas").configuration.path
      #expect(path == [FamilyConfiguration.Hop(source: "A", destination: "B")])
      #expect(try folder.family("Notas").warnings == [])
    }
  }

  @Test func anAcceptedPropertyIsAcceptedOfSubentitiesAndAnAcceptedEntityAsAWhole() throws {
    let model = try ManagedObjectModel(entities: [
      Entity(name: "Base", attributes: [Attribute(name: "a", type: .string)]),
      Entity(name: "Note", superentityName: "Base", attributes: [Attribute(name: "b", type: .string)]),
    ])
    let losses = AcceptedLosses([.init(entity: "Base", property: "a"), .init(entity: "Note")])
    #expect(losses.cover(entity: "Base", property: "a", in: model))
    #expect(losses.cover(entity: "Note", property: "a", in: model))
    #expect(losses.cover(entity: "Note", property: nil, in: model))
    #expect(!losses.cover(entity: "Note", property: "b", in: model))
    #expect(!losses.cover(entity: "Base", property: nil, in: model))
  }

  @Test(arguments: [
    ("{ a: ", "the file is not JSON5: line 1, column 6: a value is missing; there is the end of the text"),
    ("[]", "the file must hold one object { … }"),
    (
      "{ tarjet: \"A\" }",
      "there is no key “tarjet”; perhaps “target” is meant"
    ),
    (
      "{ zzzzzzzz: \"A\" }",
      "there is no key “zzzzzzzz”; the keys are: target, path, renames, inference, dataLoss, cloudKit, validation, "
        + "order, worker, requireExternalData, chunkSize, keepAssociations, rewrite, unknownVersions, "
        + "configuration, acceptStaleHashes, acceptedLosses, strayRows"
    ),
    ("{ target: 2 }", "“target” must be a text in quotes"),
    ("{ target: \"C\" }", "“target” names “C”, but there is no such version; there are: A, B"),
    ("{ inference: \"no\" }", "“inference” must be one of: “allow”, “refuse”"),
    ("{ dataLoss: true }", "“dataLoss” must be one of: “report”, “refuse”"),
    ("{ cloudKit: \"keep\" }", "“cloudKit” must be one of: “refuse”, “reset”"),
    ("{ validation: \"\" }", "“validation” must be one of: “report”, “fail”, “quarantine”"),
    ("{ unknownVersions: \"no\" }", "“unknownVersions” must be one of: “infer”, “refuse”"),
    (
      "{ configuration: \"Cloud\" }",
      "“configuration” names “Cloud”, but no version has this configuration; there are: none"
    ),
    ("{ target: \"A + C\" }", "“target” names “C”, but there is no such version; there are: A, B"),
    (
      "{ acceptStaleHashes: \"One\" }",
      "“acceptStaleHashes” must be true, false or a list of mapping models' names"
    ),
    (
      "{ acceptStaleHashes: [\"Two\"] }",
      "“acceptStaleHashes” names the mapping model “Two”, which the folder doesn't have; there are: One"
    ),
    (
      "{ acceptedLosses: \"Note\" }",
      "“acceptedLosses” must be a list of \"Entity\" and \"Entity.property\""
    ),
    (
      "{ acceptedLosses: [\"Note.\"] }",
      "“acceptedLosses” has “Note.”; write \"Entity\" or \"Entity.property\""
    ),
    (
      "{ acceptedLosses: [\"Memo.a\"] }",
      "“acceptedLosses” names “Memo.a”, but no version has this property; there are: b"
    ),
    (
      "{ acceptedLosses: [\"Nota\"] }",
      "“acceptedLosses” names “Nota”, but no version has this entity; perhaps “Note” is meant"
    ),
    ("{ requireExternalData: \"yes\" }", "“requireExternalData” must be true or false"),
    ("{ chunkSize: 0 }", "“chunkSize” must be a whole number from 1 to 100000000"),
    (
      "{ worker: \"workers/notas\" }", "“worker” must be an absolute path of an executable"
    ),
    (
      "{ order: [\"Two\"] }",
      "“order” names the mapping model “Two”, which the folder doesn't have; there are: One"
    ),
    ("{ path: [\"A\"] }", "“path” must be a list of two or more versions, or a list of pairs of versions"),
    ("{ path: [\"A\", \"C\"] }", "“path” names “C”, but there is no such version; there are: A, B"),
    (
      "{ path: [[\"A\", \"B\"], [\"A\", \"A\"]] }", "“path” leads from “A” to more than one version; keep one"
    ),
    (
      "{ renames: 1 }",
      "“renames” must be an object { entities: { … }, properties: { … } }, or a list of them"
    ),
    ("{ renames: { entity: {} } }", "there is no key “renames.entity”; perhaps “entities” is meant"),
    ("{ renames: { entities: { Note: 1 } } }", "“renames.entities.Note” must be a text in quotes"),
    (
      "{ renames: { entities: { Nota: \"Memo\" } } }",
      "“renames.entities” names “Nota”, but no version has this entity"
    ),
    (
      "{ renames: { properties: { a: \"b\" } } }",
      "“renames.properties” has the key “a”; write \"Entity.property\""
    ),
    (
      "{ renames: { properties: { \"Note.a\": \"z\" } } }",
      "“renames.properties” names “Note.z”, but no version has this property"
    ),
    (
      "{ renames: { to: \"C\", entities: {} } }",
      "“renames.to” names “C”, but there is no such version; there are: A, B"
    ),
  ])
  func aMistakeIsNamedWithWhatMayBe(text: String, problem: String) throws {
    try folder(text) { folder in
      let fault = try folder.fault("Notas")
      #expect(fault == "Notas/family.json5: \(problem)")
    }
  }
}
