import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport
@testable import DecantVerification

@Suite("Inferred steps: rules of the destination model") struct InferredValidationTests {
  private static let rows = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZSIZE) VALUES (1, 1, 1, 'abc', 5), (2, 1, 1, NULL, NULL),
      (3, 1, 1, 'abcdef', 50);
    """

  private func shop(_ from: String, _ to: String, _ validation: String? = nil) throws -> Workshop {
    let shop = try Workshop(from, to, family: validation.map { "{ validation: \"\($0)\" }" })
    try shop.makeStore(Self.rows)
    return shop
  }

  @Test(
    "a limit that is new in the destination model is checked, an older limit isn't",
    arguments: [
      ("text String?\n size Int32?", "text String? max 4\n size Int32?", ["“text” is too long (1660)"]),
      ("text String? max 9\n size Int32?", "text String? max 4\n size Int32?", ["“text” is too long (1660)"]),
      ("text String? max 4\n size Int32?", "text String? max 4\n size Int32?\n more String?", []),
      (
        "text String?\n size Int32?", "text String? matches '[a-e]+'\n size Int32?",
        ["“text” doesn't match its regular expression (1680)"]
      ),
      ("text String?\n size Int32? max 9", "text String?\n size Int64? max 9", ["“size” is too large (1610)"]),
      (
        "text String?\n size Int32?", "text String?\n size Int32? min 9 was size\n new String? min 4 = 'a'",
        ["“size” is too small (1620)"]
      ),
    ])
  func unasked(from: String, to: String, words: [String]) throws {
    let result = try shop("Note\n " + from, "Note\n " + to + "\n other String?").migrate()
    #expect(result.lines.count == 3)
    let found = result.report.warnings.filter { $0.contains("still migrated, but Core Data") }
    #expect(found.count == words.count)
    for (warning, words) in zip(found, words) { #expect(warning.contains(words), "\(warning)") }
  }

  private static let limited = "Note\n text String? max 4\n size Int32?"

  @Test func whereItIsWrittenOldLimitsAreLookedAtToo() throws {
    let reported = try shop(Self.limited, Self.limited + "\n more String?", "report").migrate()
    #expect(reported.report.warnings.contains { $0.contains("“text” is too long (1660)") })
    let failure = try shop(Self.limited, Self.limited + "\n more String?", "fail").failure()
    #expect(failure.reason == .invalidObjects && failure.coreDataCode == 1660)
    #expect(
      failure.advice.hasPrefix("The step is inferred, so these values come from the store itself")
        && !failure.advice.contains("expression"),
      "\(failure.advice)")
  }

  @Test("a step that was finished with another setting “validation” isn't reused")
  func finishedUnderOtherRules() throws {
    let shop = try Workshop(
      Self.limited, Self.limited + "\n more String?", "Note\n text String?\n size Int32?\n further String?",
      family: "{ validation: \"report\" }")
    try shop.map(#"{ source: "Note", destination: "Note" }"#)
    try shop.makeStore(Self.rows)
    let begun = shop.work.appendingPathComponent("step-2.sqlite.partial").path
    #expect(throws: MigrationFailure.self) {
      try Migration.run(
        shop.job(chunkSize: 1), shouldStop: { FileManager.default.fileExists(atPath: begun) })
    }
    let finished = shop.work.appendingPathComponent("step-1.json").path
    #expect(FileManager.default.fileExists(atPath: finished) && FileManager.default.fileExists(atPath: begun))
    try shop.folder.write("{ validation: \"fail\" }", to: "models/Notes/family.json5")
    let failure = #expect(throws: MigrationFailure.self) { try Migration.run(shop.job(chunkSize: 1)) }
    #expect(failure?.reason == .invalidObjects && failure?.message.contains("“text”") == true)
    // The files of the later, unfinished step are removed, too.
    #expect(!FileManager.default.fileExists(atPath: begun))
  }

  @Test("quarantine takes the objects out of an inferred step too", arguments: [nil, 1, 2])
  func quarantine(size: Int?) throws {
    let shop = try shop(Self.limited, Self.limited + "\n more String?", "quarantine")
    let before = try FolderPicture(shop.source.deletingLastPathComponent())
    let report = try Migration.run(shop.job(chunkSize: size))
    #expect(try FolderPicture(shop.source.deletingLastPathComponent()) == before)
    let aside = try PutAside(shop, version: "V2")
    #expect(aside.list == ["Note#3 text 1660 < Note/p3"])
    #expect(try shop.read(shop.output, "V2").lines == ["Note#1 size=5 text='abc'", "Note#2"])
    #expect(report.steps[0].entities.map { [$0.source, $0.migrated, $0.refused] } == [[3, 2, 1]])
  }

  @Test func verificationCountsWhatIsInQuarantineAndMissesItWithoutTheFiles() throws {
    let shop = try shop(Self.limited, Self.limited + "\n more String?", "quarantine")
    _ = try Migration.run(shop.job())
    var verdict = try shop.verify()
    #expect(verdict.isEqual, "\(verdict)")
    #expect(verdict.expected == [.init(kind: .quarantined, entity: "Note", count: 1)])
    try shop.changeAside("UPDATE ZNOTE SET ZSIZE = 51")
    verdict = try shop.verify()
    #expect(verdict.differences.map(\.kind) == [.asideValue], "\(verdict)")
    try shop.changeAside("UPDATE ZNOTE SET ZSIZE = 50, ZTEXT = 'abc'")
    verdict = try shop.verify()
    #expect(verdict.differences.map(\.kind) == [.asideValue, .asideWithoutReason], "\(verdict)")
    try FileManager.default.removeItem(atPath: shop.asidePath)
    verdict = try shop.verify()
    #expect(verdict.differences.map(\.kind) == [.lostRow, .missingQuarantine], "\(verdict)")
    #expect(verdict.description.contains("Store.quarantine.sqlite"))
  }

  @Test(arguments: [641, 1344]) func requiredRelationshipsAndDuplicatesGoToQuarantine(framework: Int) throws {
    let shop = try Workshop(
      "Item\n name String?\n list -> List.items\nList\n items ->> Item.list",
      "Item\n name String?\n list -> List.items required\n unique name\nList\n items ->> Item.list",
      family: "{ validation: \"quarantine\" }")
    try shop.makeStore(
      framework: framework,
      """
      INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1);
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZLIST) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, NULL, NULL), (3, 1, 1, 'a', 1),
        (4, 1, 1, 'b', 1);
      """)
    #expect(try Migration.plan(shop.job()).warnings.contains { $0.hasSuffix("such objects go to quarantine.") })
    _ = try Migration.run(shop.job())
    let aside = try PutAside(shop, version: "V2")
    #expect(aside.list == ["Item#2 list 1570 < Item/p2", "Item#3 name 133021 < Item/p3 list=List/p1"])
    #expect(
      try shop.read(shop.output, "V2").lines == [
        "Item#1 name='a' list=List#1", "Item#4 name='b' list=List#1", "List#1 items=[Item#1 Item#4]",
      ])
    let verdict = try shop.verify()
    #expect(verdict.isEqual, "\(verdict)")
  }

  @Test func aHeavyStepBeforeAnInferredOneHasAQuarantineOfItsOwn() throws {
    let shop = try Workshop(
      "Note\n text String?", "Note\n text String\n size Int32?",
      "Note\n text String\n size Int32?\n more String?",
      family: "{ path: [\"V1\", \"V2\", \"V3\"] }")
    try shop.map("Step", "{ source: \"Note\", destination: \"Note\" }", further: "validation: \"quarantine\",")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'), (2, 1, 1, NULL)")
    let report = try Migration.run(shop.job())
    #expect(report.steps.map { $0.quarantine?.store } == ["Store.quarantine-1.sqlite", nil])
    let aside = try PutAside(shop, version: "V2", name: "Store.quarantine-1")
    #expect(aside.list == ["Note#2 text 1570 < Note/p2"])
    #expect(try shop.read(shop.output, "V3").lines == ["Note#1 text='a'"])
    let verdict = try shop.verify()
    #expect(verdict.isEqual, "\(verdict)")
  }
}
