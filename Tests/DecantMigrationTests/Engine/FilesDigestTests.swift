import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

@Suite("Digests of a store's files")
struct FilesDigestTests {
  private func sha256(_ path: String) throws -> String {
    let sum = Process()
    sum.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
    sum.arguments = [path]
    let pipe = Pipe()
    sum.standardOutput = pipe
    try sum.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    sum.waitUntilExit()
    return String(String(decoding: data, as: UTF8.self).prefix(64))
  }

  @Test(
    "files of no, one and several pieces have the digests that sha256sum gives, and so have -wal and journal")
  func sizes() throws {
    let folder = try TemporaryFolder("decant-digest")
    let path = folder.path("Store.sqlite")
    for size in [0, 1, 1 << 20, (1 << 20) + 1, 5_000_001] {
      let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      try data.write(to: URL(fileURLWithPath: path))
      try Data("log".utf8).write(to: URL(fileURLWithPath: path + "-wal"))
      let files = try FilesDigest(of: URL(fileURLWithPath: path)).files { true }
      #expect(try files.bytes == size && files.sha256 == sha256(path))
      #expect(try files.wal == .init(bytes: 3, sha256: sha256(path + "-wal")))
      #expect(files.journal == nil && files.externalFiles == 0)
    }
    try folder.write("old", to: "Store.sqlite-journal")
    try folder.write("12345", to: ".Store_SUPPORT/_EXTERNAL_DATA/A")
    try folder.write("678", to: ".Store_SUPPORT/_EXTERNAL_DATA/B")
    let files = try FilesDigest.files(of: URL(fileURLWithPath: path))
    #expect(files.journal?.bytes == 3 && files.externalFiles == 2 && files.externalBytes == 8)
  }

  @Test("a store that isn't there is an error, and a reading can be ended")
  func missing() throws {
    let folder = try TemporaryFolder("decant-digest")
    let url = URL(fileURLWithPath: folder.path("None.sqlite"))
    #expect(throws: StoreError.self) { try FilesDigest.files(of: url) }
    #expect(throws: StoreError.self) { _ = try FilesDigest(of: url).files { true } }
    FilesDigest(of: url).cancel()
  }
}
