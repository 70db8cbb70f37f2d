import DecantReport
import DecantTestSupport
import FileNames
import Foundation
import Testing

@testable import DecantShards

extension ShardTroubleTests {
  @Test("a message is cut by its number of bytes, because a letter can have any number of bytes")
  func longMessage() throws {
    try fixture.manifest([fixture.folder.path("in/one.sqlite")])
    let run = try ShardRun(
      fixture.settings(), Manifest(file: fixture.folder.path("manifest")), shouldStop: { false }, tell: { _ in }
    )
    let path = FileName(fixture.folder.path("in/one.sqlite"))
    let job = StoreJob(path, key: PathKey(of: path), scratch: fixture.folder.path("scratch/one"))
    let name = "x" + String(repeating: "\u{0302}", count: 600_000)
    let line = run.line(for: job, MigrationFailure(.badData, message: "The table “\(name)” is unknown."))
    #expect((4000..<4010).contains(line.message?.utf8.count ?? 0))
  }

  @Test("an earlier result that can't be put back stays in the folder of unfinished results")
  func keptResult() throws {
    let key = PathKey(of: "/one")
    let output = fixture.folder.path("out")
    let old = "\(output)/.unfinished/\(key.hex)-0/\(key.hex)\(UnfinishedFolder.replaced)"
    try fixture.folder.write(
      "old", to: "out/.unfinished/\(key.hex)-0/\(key.hex)\(UnfinishedFolder.replaced)/a.sqlite")
    // The result can't be put back, because the folders above its place are missing.
    let folder = try UnfinishedFolder(in: output, shard: key, run: "1")
    folder.remove(ofRun: "0")
    #expect(FileManager.default.fileExists(atPath: old + "/a.sqlite"))
    let parent = (key.folder as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: "\(output)/\(parent)", withIntermediateDirectories: true)
    folder.remove(ofRun: "0")
    #expect(FileManager.default.fileExists(atPath: "\(output)/\(key.folder)/a.sqlite"))
    #expect(!FileManager.default.fileExists(atPath: "\(output)/.unfinished/\(key.hex)-0"))
  }
}
