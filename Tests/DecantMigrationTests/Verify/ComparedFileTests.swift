import DecantModel
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantVerification

@Suite("Files that are compared") struct ComparedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("decant-compared") }

  private func areSame(_ one: String, _ other: String) throws -> Bool {
    let files = try [one, other].map { try #require(try ComparedFile(folder.path($0))) }
    return try ComparedFile.areSame(files[0], files[1])
  }

  @Test func theBytesOfBothFilesDecide() throws {
    // Longer than one piece.
    var bytes = Data(repeating: 7, count: 600_000)
    try bytes.write(to: URL(fileURLWithPath: folder.path("one")))
    try bytes.write(to: URL(fileURLWithPath: folder.path("same")))
    bytes[599_999] = 8
    try bytes.write(to: URL(fileURLWithPath: folder.path("last")))
    try bytes.prefix(300_000).write(to: URL(fileURLWithPath: folder.path("short")))
    #expect(try areSame("one", "same"))
    #expect(try !areSame("one", "last"))
    #expect(try !areSame("one", "short") && !areSame("short", "one"))
  }

  @Test func aFolderOrALinkIsNoFile() throws {
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path("folder"), withIntermediateDirectories: false)
    try files.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "/etc/hostname")
    for name in ["missing", "folder", "link", "folder/within"] {
      #expect(try ComparedFile(folder.path(name)) == nil, "\(name)")
    }
  }

  @Test(arguments: [1, 2, 3, 4]) func aFileThatCannotBeReadIsNeitherSameNorMissing(failAt: Int) throws {
    try Data("same".utf8).write(to: URL(fileURLWithPath: folder.path("one")))
    try Data("same".utf8).write(to: URL(fileURLWithPath: folder.path("other")))
    let plan = DiskFaultPlan(at: folder.url.path, failAt: failAt, isPersistent: true, code: EIO)
    #expect(throws: StoreError.self) { try plan.arming { try areSame("one", "other") } }
  }
}
