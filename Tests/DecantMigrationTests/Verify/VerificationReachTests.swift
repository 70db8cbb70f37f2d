import DecantModel
import DecantSQLite
import DecantStore
import Foundation
import KeyedArchive
import Testing

@testable import DecantMigration
@testable import DecantReport
@testable import DecantVerification

/// Findings of a comparison besides rows and pairs, and accepted differences.
@Suite("Verification of metadata, files and oddities") struct VerificationReachTests {
  private let planted: PlantedStore

  init() throws { planted = try PlantedStore() }

  @Test func changedMetadataAreFoundByKey() throws {
    try planted.plant()
    let store = try SourceStore(planted.shop.output.path, scratch: planted.shop.folder.path("x"))
    var metadata = store.metadata
    metadata.entries["Mine"] = .string("surplus")
    metadata.entries[StoreMetadata.Key.digest] = .string("wrong")
    metadata.entries[StoreMetadata.Key.checksum] = nil
    guard case .dictionary(var hashes)? = metadata.entries[StoreMetadata.Key.hashes] else { return }
    hashes["Note"] = .data(Data(repeating: 7, count: 32))
    hashes["Other"] = .data(Data(repeating: 7, count: 32))
    metadata.entries[StoreMetadata.Key.hashes] = .dictionary(hashes)
    let database = try SQLiteDatabase(planted.shop.output.path, mode: .readWrite)
    try database.prepare("UPDATE Z_METADATA SET Z_PLIST = ?").run([
      .blob(PropertyList.dictionary(metadata.entries).binaryData())
    ])
    _ = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(
      planted.kinds(try planted.shop.verify()) == [
        "version-hash Note 1", "version-hash Other 1", "metadata-key Mine 1",
        "metadata-key NSStoreModelVersionChecksumKey 1", "metadata-key NSStoreModelVersionHashesDigest 1",
      ])
  }

  @Test func externalFilesThatAreMissingOrChangedAreFound() throws {
    try planted.plant()
    let folder = ExternalData(store: planted.shop.output).files
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    try FileManager.default.removeItem(atPath: folder + "/" + files[0])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + files[1]))
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: URL(fileURLWithPath: folder + "/" + files[1]))
    try FileManager.default.removeItem(atPath: ExternalData(store: planted.shop.source).files + "/" + files[2])
    try FileManager.default.removeItem(atPath: folder + "/" + files[2])
    let report = try planted.shop.verify()
    #expect(Set(report.differences.map(\.kind)) == [.missingFile, .changedFile])
    #expect(report.expected.contains { $0.kind == .missingFile && $0.count == 1 })
  }

  @Test func referencesToNothingAreExpectedToGoAndAreCounted() throws {
    let source = try SQLiteDatabase(planted.shop.source.path, mode: .readWrite)
    try source.execute(
      "UPDATE ZNOTE SET ZANY = 5000 WHERE Z_PK IN (2, 3); "
        + "INSERT INTO Z_5TASKS (Z_4TASKS, Z_5TAGS, Z_FOK_5TAGS) VALUES (2, 7000, 1), (8000, 1, 1)"
    )
    _ = try source.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    try planted.plant()
    let report = try planted.shop.verify()
    #expect(planted.kinds(report) == [])
    let dangling = report.expected.filter { $0.kind == .dangling }
    #expect(dangling.map(\.count) == [2, 2])
    #expect(
      report.description.contains(
        "Not a difference: 2 references of “Note.any” led to no object and can't be kept."))
    try planted.change("UPDATE ZNOTE SET ZANY = 5000 WHERE Z_PK = 2")
    #expect(planted.kinds(try planted.shop.verify()) == ["orphan Note.any 1"])
  }

  @Test func aCopyOfAStoreIsEqualInItsOwnVersionWhateverItHolds() throws {
    let source = try SQLiteDatabase(planted.shop.source.path, mode: .readWrite)
    try source.execute(
      "UPDATE ZNOTE SET ZANY = 5000 WHERE Z_PK = 2; UPDATE ZFOLDER SET ZNUMBER = 500 WHERE Z_PK = 1")
    _ = try source.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    try FileManager.default.createDirectory(
      at: planted.shop.output.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: planted.shop.source, to: planted.shop.output)
    _ = try ExternalData(store: planted.shop.source).copy(to: ExternalData(store: planted.shop.output))
    let report = try planted.shop.verify()
    #expect(planted.kinds(report) == [])
    #expect(report.compared.rows == 600)
    try planted.change("UPDATE ZGONE SET ZTEXT = 'other' WHERE Z_PK = 1; DELETE FROM ZTAG WHERE Z_PK = 3")
    #expect(Set(try planted.shop.verify().differences.map(\.kind)).isSuperset(of: [.changedValue, .lostRow]))
  }

  @Test func aReportIsTheSameAfterAWayThroughJSON() throws {
    try planted.plant(
      "DELETE FROM Z_3TASKS WHERE rowid < 20; UPDATE ZNOTE SET ZBODY = 'x' WHERE Z_PK < 9; DROP INDEX ZNOTE_ZFOLDER_INDEX"
    )
    let report = try planted.shop.verify()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let data = try encoder.encode(report)
    #expect(try JSONDecoder().decode(Verification.Report.self, from: data) == report)
    #expect(String(decoding: data, as: UTF8.self).contains("\"kind\":\"lost-pair\""))
    let lines = report.lines()
    #expect(lines.first == "4 differences:" || lines.first == "3 differences:")
    #expect(lines.contains { $0.hasPrefix("- “Label.tasks”: 19 pairs lost (keys ") })
  }

  @Test func whatIsNoStoreIsRefused() throws {
    try planted.plant()
    try Data("nothing".utf8).write(to: planted.shop.output)
    #expect(throws: MigrationFailure.self) { try planted.shop.verify() }
    try FileManager.default.removeItem(at: planted.shop.output)
    #expect(throws: MigrationFailure.self) { try planted.shop.verify() }
  }
}
