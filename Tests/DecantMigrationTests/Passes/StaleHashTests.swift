import CatalogueSupport
import DecantMapping
import DecantModel
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@testable import DecantMigration

@Suite("Mapping models with stale hashes") struct StaleHashTests {
  private static let zeros = String(repeating: "0", count: 64)
  private static let mapping =
    "{ source: \"Note\", destination: \"Note\", sourceHash: \"\(zeros)\", attributes: { body: \"$source.text\" } },"

  private func workshop(family: String? = nil, further: String = "") throws -> Workshop {
    let shop = try Workshop("Note\n text String?", "Note\n body String?", family: family)
    try shop.map("Step", Self.mapping, further: further)
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'one');")
    return shop
  }

  @Test func aStaleMappingModelIsRefusedWithEntityAndBothHashes() throws {
    let shop = try workshop()
    let failure = try shop.failure()
    #expect(failure.reason == .staleMappingModel && failure.disposition == .catalogue)
    let hash = try #require(try shop.model("V1").entityVersionHashes["Note"]).hexadecimal
    #expect(
      failure.details == [
        "entity mapping “NoteToNote”: it was made for another state of the source entity “Note” (version hash "
          + "\(Self.zeros) in the mapping model, \(hash) in the model)"
      ])
    #expect(failure.advice.contains("acceptStaleHashes: [\"Step\"]"))
  }

  @Test(arguments: ["{ acceptStaleHashes: true }", "{ acceptStaleHashes: [\"Step\"] }"])
  func theFamilyCanAcceptItAndPlanAndReportSaySo(family: String) throws {
    let shop = try workshop(family: family)
    let plan = try Migration.plan(shop.job())
    #expect(plan.warnings.count { $0.contains("another state of the source entity “Note”") } == 1)
    let result = try shop.migrate()
    #expect(result.lines == ["Note#1 body='one'"])
    #expect(result.report.warnings.count { $0.contains("another state of the source entity “Note”") } == 1)
  }

  @Test func theMappingModelCanAcceptItToo() throws {
    let result = try workshop(further: "acceptStaleHashes: true,").migrate()
    #expect(result.report.warnings.contains { $0.contains(Self.zeros) })
  }

  @Test func anotherNameInTheListAcceptsNothing() throws {
    let shop = try workshop(family: "{ acceptStaleHashes: [\"Other\"] }")
    try shop.map("Other", "", further: "", source: "V2", destination: "V1")
    #expect(try shop.failure().reason == .staleMappingModel)
  }

  // MARK: Compiled files

  /// A `.cdm` that maps each entity to the entity with the same name.
  static func compiled(
    from source: EntityVersionHashes, to destination: EntityVersionHashes, properties: [String]
  ) -> Data {
    var writer = ArchiveWriter()
    let rows = properties.map { name in
      writer.add("NSPropertyMapping", ["NSDestinationPropertyName": writer.text(name)])
    }
    let mappings = destination.sorted { $0.key < $1.key }.map { entity, hash in
      writer.add(
        "NSEntityMapping",
        [
          "NSMappingName": writer.text("\(entity)To\(entity)"), "NSMappingType": .integer(5),
          "NSSourceEntityName": writer.text(entity), "NSDestinationEntityName": writer.text(entity),
          "NSSourceEntityVersionHash": .data(Data(source[entity]?.bytes ?? [])),
          "NSDestinationEntityVersionHash": .data(Data(hash.bytes)),
          "NSAttributeMappings": writer.array(entity == "Note" ? rows : []),
        ])
    }
    let root = writer.add("NSMappingModel", ["NSEntityMappings": writer.array(mappings)])
    return writer.data(root: root)
  }

  private static let versions = [
    ("A", note("a") + note("x", named: "Tag")), ("B", note("b") + note("x", "y", named: "Tag")),
    ("C", note("c") + note("z", named: "Tag")),
  ]

  /// A family of three versions with two mapping models, from each of the first two versions to the third.
  ///
  /// The mapping models were made for another state of “Note”.
  private func family(_ settings: String?, _ body: (CatalogueFolder) throws -> Void) throws {
    try CatalogueFolder.with { folder in
      try folder.write(Self.versions, bundle: "Notas/Notas.xcdatamodeld")
      let read = try folder.family("Notas")
      func stale(_ name: String) throws -> EntityVersionHashes {
        var hashes = try #require(read.version(named: name)).hashes
        hashes["Note"] = VersionHash(Data(repeating: 7, count: 32))
        return hashes
      }
      let target = try #require(read.version(named: "C")).hashes
      for name in ["A", "B"] {
        try Self.compiled(from: try stale(name), to: target, properties: ["c"])
          .write(to: folder.url.appendingPathComponent("Notas/From\(name).cdm"))
      }
      if let settings { try folder.write(settings, to: "Notas/family.json5") }
      try body(folder)
    }
  }

  @Test func aCompiledFileWithStaleHashesIsAFaultThatNamesTheNearestPair() throws {
    try family(nil) { folder in
      let fault = try #require(try folder.fault("Notas"))
      #expect(fault.contains("nearest is “A” to “C”, where these differ: source entity “Note” (0707"))
      #expect(fault.contains("acceptStaleHashes: [\"FromA\"] in family.json5"))
    }
    try family("{ acceptStaleHashes: [\"FromA\"] }") { folder in
      let fault = try folder.fault("Notas")
      #expect(fault?.contains("nearest is “B” to “C”") == true)
    }
  }

  @Test func acceptedFilesForDifferentSourceVersionsFindTheirOwn() throws {
    try family("{ acceptStaleHashes: true }") { folder in
      let family = try folder.family("Notas")
      #expect(
        family.mappingModels.map {
          "\($0.file.name): \(family.versions[$0.source].name) → \(family.versions[$0.destination].name)"
        } == ["FromA: A → C", "FromB: B → C"])
      #expect(family.warnings.count == 2 && family.warnings[0].contains("“A” to “C”"))
    }
  }

  @Test func aPairThatCantBeToldByNamesIsNeverGuessed() throws {
    try CatalogueFolder.with { folder in
      try folder.write(
        [("A", note("a")), ("B", note("b")), ("C", note("c"))], bundle: "Notas/Notas.xcdatamodeld")
      try folder.write("{ acceptStaleHashes: true }", to: "Notas/family.json5")
      let hash = try #require(VersionHash(Data(repeating: 7, count: 32)))
      try Self.compiled(from: ["Note": hash], to: ["Note": hash], properties: [])
        .write(to: folder.url.appendingPathComponent("Notas/Odd.cdm"))
      #expect(try folder.fault("Notas")?.contains("by its entities it may be for") == true)
    }
  }

  @Test func severalModelsInOneFolderWithVersionsOfTheSameNames() throws {
    try CatalogueFolder.with { folder in
      for (bundle, entity) in [("Notas", "Note"), ("Lugares", "Place")] {
        try folder.write(
          [("V1", note("a", named: entity)), ("V2", note("b", named: entity))],
          bundle: "App/\(bundle).xcdatamodeld")
        try folder.writeMapping("App/\(bundle)Text", from: "\(bundle)#V1", to: "\(bundle)#V2", order: 1)
        let paths = [("source", "V1"), ("destination", "V2")].map { side, version in
          "<attribute name=\"\(side)modelpath\" type=\"string\">App/\(bundle).xcdatamodeld/\(version).xcdatamodel</attribute>"
        }
        try folder.write(
          "<database><object type=\"XDDEVMAPPINGMODEL\" id=\"m\">\(paths.joined())</object></database>",
          to: "App/\(bundle)Xcode.xcmappingmodel/xcmapping.xml")
      }
      let family = try folder.family("App")
      let pairs = family.mappingModels.map {
        "\($0.file.name): \(family.versions[$0.source].name) → \(family.versions[$0.destination].name)"
      }
      #expect(
        pairs.sorted() == [
          "LugaresText: Lugares#V1 → Lugares#V2", "LugaresXcode: Lugares#V1 → Lugares#V2",
          "NotasText: Notas#V1 → Notas#V2", "NotasXcode: Notas#V1 → Notas#V2",
        ])
    }
  }
}
