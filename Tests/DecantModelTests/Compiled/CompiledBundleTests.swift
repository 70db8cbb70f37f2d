import DecantModel
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@Suite struct CompiledBundleTests {
  private func model(_ attribute: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      Entity(name: "Note", attributes: [Attribute(name: attribute, type: .string)])
    ])
  }

  /// A `.momd` of the versions `One` with the attribute a and `Two` with b, and with the given `VersionInfo.plist`.
  private func bundle(
    _ names: [String] = ["One", "Two"], info: PropertyList? = nil
  ) throws -> (folder: TemporaryFolder, url: URL) {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("Notas.momd")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for name in names {
      let data = CompiledModelWriter.data(try model(name == "One" ? "a" : "b"))
      try data.write(to: url.appendingPathComponent("\(name).mom"))
    }
    if let info { try info.binaryData().write(to: url.appendingPathComponent("VersionInfo.plist")) }
    return (folder, url)
  }

  private func current(_ name: String) -> PropertyList {
    .dictionary(["NSManagedObjectModel_CurrentVersionName": .string(name)])
  }

  @Test func theVersionThatVersionInfoNamesIsCurrent() throws {
    let (folder, url) = try bundle(info: current("Two"))
    let bundle = try ModelBundle.read(at: url)
    #expect(bundle.name == "Notas")
    #expect(bundle.versions.map(\.name) == ["One", "Two"])
    #expect(try bundle.currentVersion().name == "Two")
    #expect(try bundle.version(named: "One.mom").model == model("a"))
    #expect(throws: ModelError.self) { try bundle.version(named: "Three") }
    _ = folder
  }

  @Test func withoutANameTheOnlyVersionIsCurrentAndOfSeveralNoneIs() throws {
    for info in [nil, PropertyList.dictionary([:])] {
      let (folder, url) = try bundle(["One"], info: info)
      #expect(try ModelBundle.read(at: url).currentVersion().name == "One")
      let (second, several) = try bundle(info: info)
      #expect(throws: ModelError.severalVersions(["One", "Two"])) {
        try ModelBundle.read(at: several).currentVersion()
      }
      _ = (folder, second)
    }
  }

  @Test func aNameWithoutItsFileIsSaidAndTheOnlyVersionIsTaken() throws {
    let (folder, url) = try bundle(["One"], info: current("Notas 2"))
    let version = try ModelBundle.read(at: url).currentVersion()
    #expect(version.name == "One")
    #expect(version.warnings == ["VersionInfo.plist names the current version “Notas 2”, which isn't there"])
    let (second, several) = try bundle(info: current("Notas 2"))
    #expect(throws: ModelError.severalVersions(["One", "Two"])) {
      try ModelBundle.read(at: several).currentVersion()
    }
    _ = (folder, second)
  }

  @Test func hashesThatDifferFromTheModelsAreSaid() throws {
    let right = try model("a").entityVersionHashes["Note"]
    let hashes = PropertyList.dictionary([
      "One": .dictionary(["Note": .data(try #require(right).data)]),
      "Two": .dictionary(["Note": .data(Data(count: 32)), "Gone": .data(Data(count: 32))]),
    ])
    let (folder, url) = try bundle(info: .dictionary(["NSManagedObjectModel_VersionHashes": hashes]))
    let versions = try ModelBundle.read(at: url).versions
    #expect(versions[0].warnings.isEmpty)
    #expect(
      versions[1].warnings == [
        "VersionInfo.plist states other version hashes than this model has, for: Gone, Note"
      ])
    _ = folder
  }

  @Test func hashesOfVersionsInTwoFormsArentCompared() throws {
    let names = ["Caf\u{E9}", "Cafe\u{301}"]
    let hashes = PropertyList.dictionary([names[0]: .dictionary(["Note": .data(Data(count: 32))])])
    let (folder, url) = try bundle(names, info: .dictionary(["NSManagedObjectModel_VersionHashes": hashes]))
    #expect(try ModelBundle.read(at: url).versions.map(\.warnings) == [[], []])
    _ = folder
  }

  @Test func versionsThatVersionInfoHasWithoutAFileAreSaid() throws {
    let hash = try #require(model("a").entityVersionHashes["Note"])
    let hashes = PropertyList.dictionary([
      "One": .dictionary(["Note": .data(hash.data)]), "Lost": .dictionary(["Note": .data(hash.data)]),
    ])
    let (folder, url) = try bundle(["One"], info: .dictionary(["NSManagedObjectModel_VersionHashes": hashes]))
    #expect(
      try ModelBundle.read(at: url).currentVersion().warnings == [
        "VersionInfo.plist has hashes of versions whose .mom isn't there: Lost"
      ])
    _ = folder
  }

  @Test(arguments: [
    PropertyList.array([]), .string("x"),
    .dictionary([
      "NSManagedObjectModel_VersionHashes": .dictionary(["One": .dictionary(["Note": .data(Data(count: 31))])])
    ]),
  ])
  func aVersionInfoOfAnotherKindIsRefused(info: PropertyList) throws {
    let (folder, url) = try bundle(info: info)
    #expect(throws: ModelError.self) { try ModelBundle.read(at: url) }
    _ = folder
  }

  @Test func anOptimisedModelIsPassedOverOrRefused() throws {
    let (folder, url) = try bundle(["One"])
    let omo = url.appendingPathComponent("One.omo")
    try Data("momv2$srsraori55".utf8).write(to: omo)
    #expect(try ModelBundle.read(at: url).versions.count == 1)
    #expect(try ModelBundle.read(at: omo).currentVersion().model == model("a"))
    try FileManager.default.removeItem(at: url.appendingPathComponent("One.mom"))
    for place in [url, omo] {
      #expect(throws: ModelError.inFile(path: place.path, .onlyOptimised(["One.omo"]))) {
        try ModelBundle.read(at: place)
      }
    }
    try FileManager.default.removeItem(at: omo)
    #expect(throws: ModelError.inFile(path: url.path, .noVersions)) { try ModelBundle.read(at: url) }
    _ = folder
  }

  @Test func aFileThatIsNoModelIsNamed() throws {
    let (folder, url) = try bundle()
    let file = url.appendingPathComponent("Three.mom")
    try Data("<?xml version=\"1.0\"?><plist/>".utf8).write(to: file)
    do throws(ModelError) {
      _ = try ModelBundle.read(at: url)
      Issue.record("it was read")
    } catch {
      #expect(error.description.hasPrefix(file.path), "\(error)")
    }
    #expect(throws: ModelError.self) { try ModelBundle.read(at: folder.url.appendingPathComponent("None.mom")) }
    #expect(throws: ModelError.self) {
      try ModelBundle.read(at: folder.url.appendingPathComponent("None.momd"))
    }
  }
}
