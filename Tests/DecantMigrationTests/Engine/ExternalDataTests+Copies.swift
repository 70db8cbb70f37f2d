import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

/// Tests of external data files that are copied or linked.
extension ExternalDataTests {
  @Test func aNameThatLeavesTheFolderIsNotFollowed() throws {
    let shop = try Workshop(Self.external, Self.plain)
    try shop.folder.write("secret", to: "in/secret")
    try shop.folder.write("x", to: "in/.Store_SUPPORT/_EXTERNAL_DATA/other")
    let path = "../../secret".padding(toLength: 36, withPad: "\u{0}", startingAt: 0)
    let hex = path.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZDATA) VALUES (1, 1, 1, x'02\(hex)00')")
    let result = try shop.migrate()
    #expect(result.lines == ["Note#1"])
    #expect(result.report.warnings.contains { $0.contains("1 value of “Note.data” names no proper file") })
  }

  @Test func linksInTheFolderAreLeftOutAndNamed() throws {
    let shop = try shop(Self.external, "\(Self.external)\n x String?")
    try FileManager.default.createSymbolicLink(
      atPath: shop.folder.path("in/.Store_SUPPORT/_EXTERNAL_DATA/link"), withDestinationPath: "/etc/hostname")
    let result = try shop.migrate()
    #expect(
      result.report.warnings.contains { $0.contains("_EXTERNAL_DATA/link is neither a file nor a folder") })
    #expect(!FileManager.default.fileExists(atPath: shop.folder.path("out/.Store_SUPPORT/_EXTERNAL_DATA/link")))
    #expect(file(shop) != nil)
  }

  // MARK: Copies and links

  private func names(_ path: String) -> (inode: UInt64, count: Int) {
    var status = stat()
    return lstat(path, &status) == 0 ? (UInt64(status.st_ino), Int(status.st_nlink)) : (0, 0)
  }

  @Test("an external file is linked only if the job says so", arguments: [true, false])
  func aFileGetsASecondNameOnlyWhereTheJobSaysSo(links: Bool) throws {
    let shop = try shop(Self.external, "\(Self.external)\n x String?")
    var job = shop.job()
    job.linksExternalFiles = links
    _ = try Migration.run(job)
    let source = names(shop.folder.path("in/.Store_SUPPORT/_EXTERNAL_DATA/\(Self.name)"))
    let output = names(shop.folder.path("out/.Store_SUPPORT/_EXTERNAL_DATA/\(Self.name)"))
    #expect((source.inode == output.inode) == links)
    #expect(output.count == (links ? 2 : 1))
    #expect(file(shop) == Data("from a file".utf8))
  }

  @Test(
    "a copy has the file's permissions, without the bits for execution and set-user-ID",
    arguments: [(0o644, 0o644), (0o640, 0o640), (0o4755, 0o644), (0o600, 0o600)] as [(mode_t, mode_t)])
  func aCopyHasTheFilesPermissionsButRunsNothing(mode: mode_t, copied: mode_t) throws {
    let shop = try shop(Self.external, "\(Self.external)\n x String?")
    let name = ".Store_SUPPORT/_EXTERNAL_DATA/\(Self.name)"
    try #require(chmod(shop.folder.path("in/\(name)"), mode) == 0)
    _ = try Migration.run(shop.job())
    var status = stat()
    #expect(lstat(shop.folder.path("out/\(name)"), &status) == 0 && status.st_mode & 0o7777 == copied)
  }

  @Test func aFileThatHasAnotherNameAlreadyIsCopied() throws {
    let shop = try shop(Self.external, "\(Self.external)\n x String?")
    let path = shop.folder.path("in/.Store_SUPPORT/_EXTERNAL_DATA/\(Self.name)")
    try #require(link(path, shop.folder.path("another")) == 0)
    var job = shop.job()
    job.linksExternalFiles = true
    _ = try Migration.run(job)
    #expect(names(shop.folder.path("out/.Store_SUPPORT/_EXTERNAL_DATA/\(Self.name)")).count == 1)
    #expect(names(path).count == 2)
    #expect(file(shop) == Data("from a file".utf8))
  }

  @Test(.enabled(if: isOtherFileSystem, "/dev/shm and /var/tmp are not two file systems"))
  func aFileOfAnotherFileSystemIsCopied() throws {
    let folder = try TemporaryFolder(in: URL(fileURLWithPath: "/var/tmp"))
    let memory = URL(fileURLWithPath: "/dev/shm/decant-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: memory) }
    let source = ExternalData(store: memory.appendingPathComponent("Store.sqlite"))
    try FileManager.default.createDirectory(atPath: source.files, withIntermediateDirectories: true)
    try Data("far".utf8).write(to: URL(fileURLWithPath: source.files + "/A"))
    let target = ExternalData(store: folder.url.appendingPathComponent("Store.sqlite"))
    #expect(try source.copy(to: target, links: true) == [])
    #expect(FileManager.default.contents(atPath: target.files + "/A") == Data("far".utf8))
  }

  private static let isOtherFileSystem: Bool = {
    var (memory, temporary) = (stat(), stat())
    return access("/dev/shm", W_OK) == 0 && stat("/dev/shm", &memory) == 0
      && stat("/var/tmp", &temporary) == 0 && memory.st_dev != temporary.st_dev
  }()
}
