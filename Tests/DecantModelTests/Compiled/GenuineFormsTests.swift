import DecantModel
import DecantTestSupport
import Foundation
import Testing

@Suite("Genuine models in several forms", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct GenuineFormsTests {
  @Test func everyVersionInfoStatesTheHashesAndChecksumsOfItsModels() throws {
    var (versions, hashes, checksums) = (0, 0, 0)
    for url in GenuineModels.files("VersionInfo.plist") {
      let info = try CompiledVersionInfo.read(Data(contentsOf: url))
      let bundle = try ModelBundle.read(at: url.deletingLastPathComponent())
      for version in bundle.versions {
        let own = version.model.entityVersionHashes
        let stated = try #require(info.versionHashes[version.name], "\(version.path)")
        #expect(stated == own, "\(version.path)")
        #expect(version.warnings.isEmpty, "\(version.path): \(version.warnings)")
        versions += 1
        hashes += stated.count
        if let checksum = info.versionChecksums[version.name] {
          #expect(checksum == own.checksum, "\(version.path)")
          checksums += 1
        }
      }
      #expect(throws: Never.self) { try bundle.currentVersion() }
    }
    print("VersionInfo.plist: \(versions) versions, \(hashes) hashes and \(checksums) checksums, all equal")
    #expect(versions == 35 && hashes == 374 && checksums == 11)
  }

  @Test func aCompiledModelEqualsItsSource() throws {
    let sources = try GenuineModels.sources()
    var comparison = ModelComparison()
    var withoutSource: [String] = []
    for compiled in try GenuineModels.versions("mom") {
      let hashes = compiled.model.entityVersionHashes
      guard let source = sources[compiled.folder]?.first(where: { $0.model.entityVersionHashes == hashes })
      else {
        withoutSource.append(compiled.testDescription)
        continue
      }
      comparison.compare(compiled.model, source.model)
    }
    print("compiled model and source: \(comparison.summary)")
    #expect(comparison.differences.isEmpty, "\(comparison.differences.joined(separator: "\n"))")
    #expect(comparison.counts == [32, 305, 1684, 1032])
    // The sources of these models aren't published. The last three are models from stores.
    #expect(
      withoutSource == [
        "mapping/xcode-server/XCServerCoreData.mom#XCServerCoreData",
        "mapping/xcode-server/XCServerCoreData1.1.0.mom#XCServerCoreData1.1.0",
        "mapping/xcode-server/XCServerCoreData1.2.0.mom#XCServerCoreData1.2.0",
        "stores/cartkit/CartKitSwiftData_v1.modelcache.mom#CartKitSwiftData_v1.modelcache",
        "stores/cartkit/CartStorage_v1.modelcache.mom#CartStorage_v1.modelcache",
        "stores/coredataplus/SampleModel2_V1.modelcache.mom#SampleModel2_V1.modelcache",
      ])
  }

  /// Copies that are older than the model beside them: they differ in parts that aren't in version hashes.
  private static let stale: Set = [
    "Version1_to_Version2.xcmappingmodel source",
    "Version1_to_Version2.xcmappingmodel destination",
    "Version2_to_Version3.xcmappingmodel source",
    "Version2_to_Version3.xcmappingmodel destination",
    "v1_to_v2.xcmappingmodel source",
    "Moody 2-Moody 3.xcmappingmodel source",
    "Moody 2-Moody 3.xcmappingmodel destination",
    "Moody 3-Moody 4.xcmappingmodel source",
    "Moody 3-Moody 4.xcmappingmodel destination",
    "Moody 4-Moody 5.xcmappingmodel source",
    "Moody 4-Moody 5.xcmappingmodel destination",
    "Moody 5-Moody 6.xcmappingmodel source",
    "Moody 5-Moody 6.xcmappingmodel destination",
    "UnCloudNotesMappingModel_v2_to_v3.xcmappingmodel destination",
    "UnCloudNotesMappingModel_v3_to_v4.xcmappingmodel source",
    "Model3ToModel4.xcmappingmodel destination",
    "ATDataModel v4 to v5.xcmappingmodel destination",
  ]

  @Test func aCopyInsideAMappingModelEqualsTheSource() throws {
    let sources = try GenuineModels.sources()
    var comparison = ModelComparison()
    var stale: Set<String> = []
    var withoutSource: [String] = []
    for copy in try GenuineModels.embedded() {
      let reading = try ModelElementsReader.read(copy.data)
      let hashes = reading.model.entityVersionHashes
      #expect(reading.warnings.isEmpty, "\(copy.name): \(reading.warnings)")
      guard let source = sources[copy.folder]?.first(where: { $0.model.entityVersionHashes == hashes }) else {
        withoutSource.append("\(copy.folder)/\(copy.name)")
        continue
      }
      var own = ModelComparison()
      own.compare(reading.model, source.model) { entity in
        // The editor's form has no fetch indexes; it marks their attributes as indexed.
        entity.fetchIndexes = []
        for place in entity.attributes.indices { entity.attributes[place].isIndexed = false }
      }
      if own.differences.isEmpty {
        comparison.add(own)
      } else {
        stale.insert(copy.name)
      }
    }
    print("copy in a mapping model and source: \(comparison.summary)")
    #expect(comparison.counts == [64, 435, 2101, 954])
    #expect(stale == Self.stale)
    // The models of these copies have changed since, or have derived attributes, which the editor's form lacks.
    #expect(
      withoutSource == [
        "mapping/loop/Modelv1v4.xcmappingmodel destination", "mapping/messages/v1_to_v2.xcmappingmodel source",
        "stores/derived-attribute/Model-v1-v2.xcmappingmodel source",
        "stores/derived-attribute/Model-v1-v2.xcmappingmodel destination",
        "stores/loopkit/Modelv1v4.xcmappingmodel destination",
      ])
  }
}
