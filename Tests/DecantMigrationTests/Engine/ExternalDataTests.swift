import DecantSQLite
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport
@testable import DecantVerification

@Suite("Inferred steps: external data") struct ExternalDataTests {
  static let plain = "Note\n data Binary?"
  static let external = "Note\n data Binary? external"
  static let name = "01234567-89AB-CDEF-0123-456789ABCDEF"
  private static let hex = name.utf8.map { String($0, radix: 16) }.joined()

  /// One value in the row, one in a file, one NULL, and one empty value.
  private static let rows = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZDATA) VALUES (1, 1, 1, x'01AABB'), (2, 1, 1, x'02\(hex)00'),
      (3, 1, 1, NULL), (4, 1, 1, x'01');
    """

  func shop(_ from: String, _ to: String, family: String? = nil, hasFiles: Bool = true) throws
    -> Workshop
  {
    let shop = try Workshop(from, to, family: family)
    try shop.makeStore(Self.rows)
    if hasFiles { try shop.folder.write("from a file", to: "in/.Store_SUPPORT/_EXTERNAL_DATA/\(Self.name)") }
    return shop
  }

  func file(_ shop: Workshop) -> Data? {
    FileManager.default.contents(atPath: shop.folder.path("out/.Store_SUPPORT/_EXTERNAL_DATA/\(Self.name)"))
  }

  @Test func theFilesTravelWithTheStoreAndTheReferencesStay() throws {
    let shop = try shop(Self.external, "\(Self.external)\n x String?")
    let result = try shop.migrate()
    #expect(
      result.lines == ["Note#1 data=x01aabb", "Note#2 data=x02\(Self.hex)00", "Note#3", "Note#4 data=x01"])
    #expect(file(shop) == Data("from a file".utf8))
    #expect(!result.report.warnings.contains { $0.contains("MISSING") })
  }

  @Test func theFolderTakesTheOutputsName() throws {
    let shop = try shop(Self.external, "\(Self.external)\n x String?")
    var job = shop.job()
    job.output = shop.folder.url.appendingPathComponent("out/New.Name.store")
    _ = try Migration.run(job)
    #expect(
      FileManager.default.fileExists(
        atPath: shop.folder.path("out/.New.Name_SUPPORT/_EXTERNAL_DATA/\(Self.name)")))
  }

  @Test func aMissingFolderIsALoudWarningThatNamesIt() throws {
    let shop = try shop(Self.external, "\(Self.external)\n x String?", hasFiles: false)
    let result = try shop.migrate()
    #expect(result.lines[1] == "Note#2 data=x02\(Self.hex)00")
    let warning = try #require(result.report.warnings.first { $0.contains("MISSING") })
    #expect(warning.contains("“Note.data”") && warning.contains(".Store_SUPPORT/_EXTERNAL_DATA"))
  }

  @Test func aMissingFileRefusesTheStoreWhereTheFamilyRequiresIt() throws {
    let family = "{ requireExternalData: true }"
    let missing = try shop(Self.external, "\(Self.external)\n x String?", family: family, hasFiles: false)
    let failure = try missing.failure()
    #expect(failure.reason == .externalDataMissing)
    #expect(failure.disposition == .refuse)
    #expect(failure.message.contains("1 value of “Note.data”") && failure.message.contains(".Store_SUPPORT"))
    let there = try shop(Self.external, "\(Self.external)\n x String?", family: family)
    #expect(try there.migrate().lines.count == 4)
  }

  @Test func switchingItOffReadsTheFilesIntoTheRows() throws {
    let result = try shop(Self.external, Self.plain).migrate()
    let text = "from a file".utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(result.lines == ["Note#1 data=xaabb", "Note#2 data=x\(text)", "Note#3", "Note#4 data=x"])
  }

  @Test func switchingItOffWithoutTheFilesSaysThatTheValuesAreLost() throws {
    let result = try shop(Self.external, Self.plain, hasFiles: false).migrate()
    #expect(result.lines == ["Note#1 data=xaabb", "Note#2", "Note#3", "Note#4 data=x"])
    #expect(
      result.report.warnings.contains {
        $0.contains("MISSING") && $0.contains("Note.data")
          && $0.contains("If the new version keeps values in its rows, such values become nil")
      })
  }

  @Test func verificationListsWhatBecameNilBecauseItsFileIsMissing() throws {
    for hasFiles in [true, false] {
      let shop = try shop(Self.external, Self.plain, hasFiles: hasFiles)
      try shop.migrate()
      let report = try shop.verify()
      #expect(report.isEqual)
      let expected = Verification.Expected(kind: .filelessValue, entity: "Note", property: "data", count: 1)
      #expect(report.expected == (hasFiles ? [] : [expected]))
      let line =
        "Not a difference: 1 value of “Note.data” is nil, or the default, because its file was missing."
      #expect(report.lines(width: 200).contains(line) == !hasFiles, "\(report)")
    }
  }

  @Test func aMappingModelThatPutsMissingFilesIntoRowsLosesThemToo() throws {
    let family = "{ dataLoss: \"refuse\" }"
    for hasFiles in [true, false] {
      let shop = try shop(Self.external, "\(Self.plain)\n x String?", family: family, hasFiles: hasFiles)
      try shop.map(#"{ source: "Note", destination: "Note" }"#)
      if hasFiles {
        #expect(try shop.migrate().report.losses == [])
      } else {
        let failure = try shop.failure()
        #expect(failure.message.contains("“Note.data” with 1 value whose file is missing"), "\(failure)")
      }
    }
  }

  @Test func switchingItOffWithoutTheFilesIsALossThatAFamilyMayRefuse() throws {
    let family = "{ dataLoss: \"refuse\" }"
    let failure = try shop(Self.external, Self.plain, family: family, hasFiles: false).failure()
    #expect(failure.reason == .dataLoss)
    #expect(failure.message.contains("“Note.data” with 1 value whose file is missing"), "\(failure.message)")
    #expect(try shop(Self.external, Self.plain, family: family).migrate().report.losses.isEmpty)
    let stays = try shop(Self.external, "\(Self.external)\n x String?", family: family, hasFiles: false)
    #expect(try stays.migrate().report.losses.isEmpty)
    let open = try shop(Self.external, Self.plain, hasFiles: false).migrate()
    #expect(open.report.losses.map { "\($0.entity).\($0.property ?? "") \($0.values)" } == ["Note.data 1"])
  }

  @Test func switchingItOffRefusesAFileThatNoRowHolds() throws {
    let shop = try shop(Self.external, Self.plain)
    let file = shop.folder.path("in/.Store_SUPPORT/_EXTERNAL_DATA/\(Self.name)")
    #expect(truncate(file, 1_100_000_000) == 0)
    let failure = try shop.failure()
    #expect(failure.disposition == .refuse)
    #expect(failure.reason == .valueTooLarge)
    #expect(failure.message.contains(file) && failure.message.contains("1100000000 bytes"))
  }

  /// The path is too long for the system.
  ///
  /// This stands for every failure except a missing file.
  @Test func switchingItOffTriesAgainWhereAFileCantBeRead() throws {
    let shop = try Workshop(Self.external, Self.plain)
    try shop.makeStore(Self.rows)
    let database = try SQLiteDatabase(shop.source.path, mode: .immutable)
    let folder = "/" + String(repeating: "x", count: 5000)
    try ExternalDataFunction.register(in: database, folder: folder)
    let error = #expect(throws: SQLiteError.self) {
      try database.rows("SELECT \(ExternalDataFunction.inline)(ZDATA) FROM ZNOTE")
    }
    let failure = MigrationFailure(running: try #require(error), family: "Notes")
    #expect(failure.disposition == .retry)
    #expect(failure.message.contains("\(folder)/\(Self.name) can't be read: File name too long"))
  }

  @Test(.enabled(if: access("/dev/shm", W_OK) == 0, "holes of any size need a file system in memory"))
  func sizesThatOnlyHolesExplainAreBounded() throws {
    let folder = URL(fileURLWithPath: "/dev/shm/decant-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let external = ExternalData(store: folder.appendingPathComponent("Store.sqlite"))
    try FileManager.default.createDirectory(atPath: external.files, withIntermediateDirectories: true)
    #expect(try external.bytes() == 0)
    for name in ["A", "B", "C"] {
      let file = "\(external.files)/\(name)"
      #expect(FileManager.default.createFile(atPath: file, contents: nil))
      #expect(truncate(file, 1 << 62) == 0)
    }
    #expect(try external.bytes() == Int.max)
  }

  @Test(.enabled(if: geteuid() != 0, "nothing is unreadable for root"))
  func aFolderThatCantBeReadIsTriedAgain() throws {
    let shop = try shop(Self.external, "\(Self.external)\n x String?")
    let files = shop.folder.path("in/.Store_SUPPORT/_EXTERNAL_DATA")
    chmod(files, 0)
    defer { chmod(files, 0o755) }
    let failure = try shop.failure()
    #expect(failure.disposition == .retry)
    #expect(failure.message.contains("_EXTERNAL_DATA"))
  }

  @Test func switchingItOnMarksEveryValue() throws {
    let shop = try Workshop(Self.plain, Self.external)
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZDATA) VALUES (1, 1, 1, x'AABB'), (2, 1, 1, NULL), (3, 1, 1, x''), "
        + "(4, 1, 1, x'02FF')")
    #expect(
      try shop.migrate().lines == ["Note#1 data=x01aabb", "Note#2", "Note#3 data=x01", "Note#4 data=x0102ff"])
  }

  // MARK: Odd names

  /// A value that names a file.
  ///
  /// The name is shortened or filled to the 36 characters of a UUID.
  private static func reference(_ name: String) -> String {
    let bytes = Array(name.padding(toLength: 36, withPad: "\u{0}", startingAt: 0).utf8)
    return "x'02" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "00'"
  }

  @Test(
    "a name that is no UUID leads to no file; with external storage it stays, without it the value is nil",
    arguments: ["/etc/hostname", "..", "../../secret", "sub/01234567-89AB-CDEF-0123-456789ABCD", "", "other"])
  func oddNames(name: String) throws {
    for target in [Self.plain, "\(Self.external)\n x String?"] {
      let shop = try Workshop(Self.external, target)
      try shop.folder.write("secret", to: "in/secret")
      try shop.folder.write("x", to: "in/.Store_SUPPORT/_EXTERNAL_DATA/other")
      try shop.makeStore(
        "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZDATA) VALUES (1, 1, 1, \(Self.reference(name)))")
      let result = try shop.migrate()
      let value = Self.reference(name).replacing("'", with: "")
      #expect(result.lines == [target == Self.plain ? "Note#1" : "Note#1 data=\(value)"])
      #expect(result.report.warnings.contains { $0.contains("1 value of “Note.data” names no proper file") })
    }
  }

  @Test(
    "a folder, link, pipe or socket in place of a file counts as a missing file",
    arguments: ["folder", "link", "fifo", "socket"])
  func notAFile(kind: String) throws {
    for target in [Self.plain, "\(Self.external)\n x String?"] {
      let shop = try shop(Self.external, target, hasFiles: false)
      let path = shop.folder.path("in/.Store_SUPPORT/_EXTERNAL_DATA/\(Self.name)")
      try shop.folder.write("secret", to: "in/.Store_SUPPORT/_EXTERNAL_DATA/other")
      switch kind {
      case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "other")
      case "socket": try #require(mknod(path, S_IFSOCK | 0o600, 0) == 0)
      default: try #require(mkfifo(path, 0o600) == 0)
      }
      // `shop.migrate` reads all files of the folder, and would wait for the other end of the pipe.
      _ = try Migration.run(shop.job())
      let result = try shop.read(shop.output, "V2")
      #expect(result.lines[1] == (target == Self.plain ? "Note#2" : "Note#2 data=x02\(Self.hex)00"))
      var status = stat()
      let copy = shop.folder.path("out/.Store_SUPPORT/_EXTERNAL_DATA/\(Self.name)")
      #expect((lstat(copy, &status) == 0) == (kind == "folder"))
    }
  }

  @Test(
    "a folder that is a link is not followed", arguments: [".Store_SUPPORT", ".Store_SUPPORT/_EXTERNAL_DATA"])
  func linkedFolder(name: String) throws {
    for target in [Self.plain, "\(Self.external)\n x String?"] {
      let shop = try shop(Self.external, target)
      try FileManager.default.moveItem(
        atPath: shop.folder.path("in/\(name)"), toPath: shop.folder.path("Elsewhere"))
      try FileManager.default.createSymbolicLink(
        atPath: shop.folder.path("in/\(name)"), withDestinationPath: shop.folder.path("Elsewhere"))
      let result = try shop.migrate()
      #expect(result.lines[1] == (target == Self.plain ? "Note#2" : "Note#2 data=x02\(Self.hex)00"))
      let warning = try #require(result.report.warnings.first { $0.contains("MISSING") })
      let link = URL(fileURLWithPath: name).lastPathComponent
      #expect(warning.contains("“\(link)” is a symbolic link, and no link is followed"), "\(warning)")
      #expect(!warning.contains("came without them"))
      #expect(file(shop) == nil)
    }
  }

  @Test func whatNamesNoFileIsToldWithItsKeysAndRefusedWhereFilesAreRequired() throws {
    let rows =
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZDATA) VALUES (3, 1, 1, \(Self.reference("..")))"
      + [4, 5, 6].map { ", (\($0), 1, 1, x'02\(Self.hex)')" }.joined() + ", (7, 1, 1, x'FF01')"
    let shop = try Workshop(Self.external, "\(Self.external)\n x String?")
    try shop.makeStore(rows)
    try shop.folder.write("x", to: "in/.Store_SUPPORT/_EXTERNAL_DATA/\(Self.name)")
    let warnings = try Migration.plan(shop.job()).warnings
    let text = "5 values of “Note.data” name no proper file (keys 3, 4, 5, …)"
    #expect(warnings.contains { $0.contains(text) }, "\(warnings)")
    let strict = try Workshop(
      Self.external, "\(Self.external)\n x String?", family: "{ requireExternalData: true }")
    try strict.makeStore(rows)
    let failure = try strict.failure()
    #expect(failure.reason == .externalDataMissing && failure.message.contains(text), "\(failure.message)")
  }

  @Test func theFilesOfAChainReachItsEnd() throws {
    let shop = try Workshop(
      "\(Self.external)\n size String?", Self.external, "\(Self.external)\n size Int16?")
    try shop.makeStore(Self.rows)
    try shop.folder.write("from a file", to: "in/.Store_SUPPORT/_EXTERNAL_DATA/\(Self.name)")
    let result = try shop.migrate()
    #expect(result.report.steps.count == 2)
    #expect(result.lines[1] == "Note#2 data=x02\(Self.hex)00")
    #expect(file(shop) == Data("from a file".utf8))
  }
}
