import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration
@testable import DecantReport
@testable import DecantVerification

@Suite("Verification of mapping models") struct MappedVerificationTests {
  @Test func aGoodResultIsEqualAndSaysHowItWasCompared() throws {
    let fixture = try MappedFixture()
    let report = try fixture.plant()
    #expect(report.isEqual, "\(report)")
    #expect(report.way?.sourceVersion == "V1" && report.way?.destinationVersion == "V2")
    #expect(report.way?.steps.map(\.means) == [.associations])
    #expect(report.way?.steps.map(\.mappingModels) == [["First", "Second"]])
    #expect(report.description.contains("“V1” to “V2” by First, Second, evaluated again over the associations"))
    #expect(report.compared.rows == 22 && report.compared.pairs == 8 + 11 + 4 + 4, "\(report.compared)")
    #expect(
      report.expected.map { "\($0.kind.rawValue) \($0.entity) \($0.count)" } == [
        "without-value Kinds 3", "filtered NoteToNote 1",
      ])
    #expect(report.entities.map(\.destinationRows) == [3, 11, 5, 3])
  }

  /// Changes of the destination, and the expected findings.
  static let stores: [(change: String, found: [String])] = [
    ("UPDATE ZNOTE SET ZTEXT = 'other' WHERE Z_PK = 4", ["changed-value Note.text 1 [4]"]),
    ("UPDATE ZNOTE SET ZMARK = NULL WHERE Z_PK = 4", ["changed-value Note.mark 1 [4]"]),
    ("UPDATE ZNOTE SET ZWEIGHT = ZWEIGHT + 1 WHERE Z_PK IN (2, 4)", ["changed-value Note.weight 2 [2, 4]"]),
    ("UPDATE ZKIND SET ZNAME = lower(ZNAME) WHERE Z_PK = 1", ["changed-value Kind.name 1 [1]"]),
    ("UPDATE ZNOTE SET Z_OPT = 2 WHERE Z_PK = 2", ["save-count Note 1 [2]"]),
    ("DELETE FROM ZPAGE WHERE Z_PK = 5", ["lost-row Page 1 [5]"]),
    (
      "INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZNUMBER) VALUES (9, 3, 1, 5); UPDATE Z_PRIMARYKEY SET Z_MAX = 99",
      ["unexplained-object Page 1 [9]"]
    ),
    (
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (14, 2, 1, 'T7'); UPDATE Z_PRIMARYKEY SET Z_MAX = 99",
      ["unexplained-object Note 1 [14]"]
    ),
    ("UPDATE ZNOTE SET ZKIND = 3 WHERE Z_PK = 2", ["changed-target Note.kind 1 [2 → 1]"]),
    ("UPDATE ZNOTE SET ZKIND = NULL WHERE Z_PK = 2", ["lost-pair Note.kind 1 [2 → 1]"]),
    ("UPDATE ZNOTE SET ZKIND = 3 WHERE Z_PK = 8", ["surplus-pair Note.kind 1 [8 → 3]"]),
    (
      "UPDATE ZNOTE SET ZTAG = 1 WHERE Z_PK = 2",
      ["derived-value Tag.number 2 [1, 2]", "changed-target Note.tag 1 [2 → 2]"]
    ),
    ("DELETE FROM Z_2FRIENDS WHERE Z_2FANS = 4", ["lost-pair Note.friends 1 [4 → 3]"]),
    ("INSERT INTO Z_2FRIENDS (Z_2FANS, Z_4FRIENDS) VALUES (4, 1)", ["surplus-pair Note.friends 1 [4 → 1]"]),
    (
      "UPDATE ZPAGE SET Z_FOK_NOTE = 10000 WHERE Z_PK = 3", ["changed-order Note.pages 1 [2]"]
    ),
    ("UPDATE ZTAG SET ZNUMBER = 9 WHERE Z_PK = 1", ["derived-value Tag.number 1 [1]"]),
  ]

  @Test("a difference in the destination is reported with entity, property and key", arguments: stores)
  func destination(change: String, found: [String]) throws {
    let report = try MappedFixture().plant(store: change)
    #expect(MappedFixture.kinds(report) == found, "\(report)")
  }

  /// Changes of the associations, and the expected findings.
  static let files: [(change: String, found: [String])] = [
    (
      "UPDATE runs SET length = 1 WHERE mapping = 3 AND first = 1",
      ["lost-association Page 4 [2, 3, 4, 5]", "unexplained-object Page 4 [2, 3, 4, 5]"]
    ),
    (
      "UPDATE shared SET destinations = json_set(destinations, '$[2]', 3) WHERE mapping = 1",
      [
        "moved-association Kind 3 [6, 12, 20]", "shared-object Kind 1 [3]", "unexplained-object Kind 1 [2]",
        "changed-target Note.kind 1 [4 → 3]",
      ]
    ),
    (
      "INSERT INTO runs VALUES (1, 2, 14, 1, 14)", ["filtered-object Note 1 [14]"]
    ),
    ("INSERT INTO runs VALUES (1, 4, 900, 2, 900)", ["stray-association Tag 2 [900]"]),
    ("INSERT INTO shared VALUES (1, 1, 900, 2, '[1,null,2]')", ["stray-association Kind 2 [900, 902]"]),
    (
      "UPDATE shared SET destinations = json_set(destinations, '$[4]', NULL), objects = objects - 1 WHERE mapping = 1",
      ["lost-association Kind 1 [6]", "surplus-pair Note.kind 1 [6 → 3]"]
    ),
    ("INSERT INTO pairs VALUES (1, 2, 'Note', 2, 'Note', 4)", ["surplus-association Note 1 [2]"]),
    (
      "UPDATE runs SET destination = 26 - first WHERE mapping = 2 AND first IN (10, 16)",
      ["moved-association Note 2 [10, 16]"]
    ),
  ]

  @Test("a difference in the associations is reported with its entity", arguments: files)
  func associations(change: String, found: [String]) throws {
    let report = try MappedFixture().plant(associations: change)
    let kinds = MappedFixture.kinds(report)
    for line in found { #expect(kinds.contains(line), "\(kinds)") }
    #expect(!report.isEqual)
  }

  @Test func withoutAssociationsItSaysWhatItNeeds() throws {
    let fixture = try MappedFixture()
    var job = fixture.shop.job()
    job.keepsAssociations = false
    let report = try Migration.run(job)
    #expect(report.associations == nil)
    #expect(!FileManager.default.fileExists(atPath: fixture.associations.path))
    let failure = #expect(throws: MigrationFailure.self) { try fixture.shop.verify() }
    #expect(failure?.reason == .needsAssociations && failure?.exitCode == 65)
    #expect(failure?.advice.contains("--keep-associations") == true)
  }

  @Test func aFileOfAnotherStoreIsRefused() throws {
    let fixture = try MappedFixture()
    let changes = [
      "UPDATE file SET value = 'B' WHERE key = 'store_uuid'", "DELETE FROM mappings WHERE mapping = 3",
      "UPDATE mappings SET name = 'Other' WHERE mapping = 3", "INSERT INTO steps VALUES (2, 'V2', 'V3', 0.0)",
      "UPDATE file SET value = 7 WHERE key = 'format'", "DROP TABLE pairs",
    ]
    _ = try Migration.run(fixture.shop.job())
    let good = try Data(contentsOf: fixture.associations)
    for change in changes {
      try good.write(to: fixture.associations)
      try MappedFixture.change(fixture.associations, change)
      let failure = #expect(throws: MigrationFailure.self, "\(change)") { try fixture.shop.verify() }
      #expect(failure?.reason == .foreignAssociations, "\(change): \(String(describing: failure))")
    }
    try good.write(to: fixture.associations)
    try MappedFixture.change(fixture.associations, "UPDATE steps SET step = 2 WHERE step = 1")
    let renumbered = #expect(throws: MigrationFailure.self) { try fixture.shop.verify() }
    #expect(
      renumbered?.message.hasSuffix("this migration: step 1 is missing.") == true,
      "\(String(describing: renumbered))")
    try good.write(to: fixture.associations)
    try MappedFixture.change(fixture.associations, "UPDATE shared SET destinations = '[1, 2'")
    let failure = #expect(throws: MigrationFailure.self) { try fixture.shop.verify() }
    #expect(failure?.reason == .foreignAssociations && failure?.message.contains("a list of keys") == true)
    try Data("no database".utf8).write(to: fixture.associations)
    #expect(throws: MigrationFailure.self) { try fixture.shop.verify() }
  }

  @Test func whatAPolicyMadeIsLeftToItByName() throws {
    let fixture = try MappedFixture()
    _ = try Migration.run(fixture.shop.job())
    // As if the mapping model had a policy that made another page and set another value.
    let file = fixture.shop.catalogue.appendingPathComponent("Notes/First.mapping.json5")
    let text = try String(contentsOf: file, encoding: .utf8)
    try text.replacing("destination: \"Page\"", with: "destination: \"Page\", policy: \"PagePolicy\"")
      .write(to: file, atomically: true, encoding: .utf8)
    try MappedFixture.change(
      fixture.associations, "UPDATE mappings SET policy = 'PagePolicy', way = 'rows' WHERE mapping = 3")
    try MappedFixture.change(
      fixture.shop.output,
      "UPDATE ZPAGE SET ZNUMBER = 77, ZNOTE = 4, Z_FOK_NOTE = 9999 WHERE Z_PK = 5; UPDATE Z_PRIMARYKEY SET Z_MAX = 99; "
        + "INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT) VALUES (9, 3, 1)")
    let report = try fixture.shop.verify()
    #expect(report.isEqual, "\(report)")
    let lines = report.lines(width: 1000).joined(separator: "\n")
    #expect(
      lines.contains(
        "made by the policy PagePolicy: 5 objects associated by “PageToPage”. Only the policy knows"))
    #expect(
      lines.contains("1 value of “Page.number” that a policy set otherwise than the entity mapping."),
      "\(lines)")
    let asMapped = try #require(report.expected.first { $0.kind == .asMapped })
    #expect(asMapped.entity == "Page" && asMapped.count > 0 && asMapped.count % 5 == 4)
    #expect(lines.contains("1 object of “Page” not from a mapping (made by a policy)"))
    #expect(
      lines.contains("4 pairs of “Page.note” as the entity mapping says, of objects that a policy made."),
      "\(lines)")
    #expect(
      lines.contains("1 object to which a policy gave another “Page.note” than the entity mapping."), "\(lines)"
    )
    // Each pair is reported once, at one end.
    let told = report.expected.filter { [.pairsAsMapped, .pairsSetByPolicy, .unjudgedPairs].contains($0.kind) }
    let pairs = try SQLiteDatabase(fixture.shop.output.path, mode: .immutable).integer(
      "SELECT count(*) FROM ZPAGE WHERE ZNOTE IS NOT NULL")
    let ofPages = told.filter { ["note", "pages"].contains($0.property ?? "") }
    #expect(ofPages.reduce(0) { $0 + $1.count } == pairs, "\(lines)")
    #expect(lines.hasPrefix("Equal, as far as Decant can check."))
    var alone = report
    alone.compared.rows = 0
    #expect(alone.lines().first?.hasPrefix("Nothing is missing. A policy made all objects") == true)
    // An object that the policy associated and that isn't there is a difference.
    try MappedFixture.change(fixture.shop.output, "DELETE FROM ZPAGE WHERE Z_PK = 5")
    #expect(MappedFixture.kinds(try fixture.shop.verify()).contains { $0.hasPrefix("lost-row Page 1 [5]") })
  }

  @Test func whatOnlyThePolicyCanComputeIsNotSaidToBeSetByIt() throws {
    let fixture = try MappedFixture()
    _ = try Migration.run(fixture.shop.job())
    let file = fixture.shop.catalogue.appendingPathComponent("Notes/First.mapping.json5")
    let text = try String(contentsOf: file, encoding: .utf8)
    let changed = text.replacing(
      "destination: \"Page\"",
      with: "destination: \"Page\", policy: \"PagePolicy\", attributes: { number: "
        + "\"FUNCTION($entityPolicy, 'numberOf:', $source.number)\" }")
    #expect(changed != text)
    try changed.write(to: file, atomically: true, encoding: .utf8)
    try MappedFixture.change(
      fixture.associations, "UPDATE mappings SET policy = 'PagePolicy', way = 'rows' WHERE mapping = 3")
    try MappedFixture.change(fixture.shop.output, "UPDATE ZPAGE SET ZNUMBER = ZNUMBER * 10")
    let report = try fixture.shop.verify()
    #expect(report.isEqual, "\(report)")
    let kinds = Set(report.expected.map(\.kind))
    #expect(kinds.contains(.leftToPolicy) && kinds.contains(.pairsAsMapped), "\(report)")
    #expect(kinds.isDisjoint(with: [.asMapped, .setByPolicy, .pairsSetByPolicy, .notJudged]), "\(report)")
    // A policy can't have made an object of a source object that isn't there.
    try MappedFixture.change(fixture.associations, "INSERT INTO runs VALUES (1, 3, 900, 1, 5)")
    #expect(MappedFixture.kinds(try fixture.shop.verify()) == ["stray-association Page 1 [900]"])
  }

  @Test func rowsAreCheckedBySQLWhereItCanSayThem() throws {
    let fixture = try MappedFixture()
    _ = try Migration.run(fixture.shop.job())
    try MappedFixture.change(fixture.associations, "UPDATE mappings SET way = 'rows'")
    #expect(try fixture.shop.verify().isEqual)
    try MappedFixture.change(fixture.shop.output, "UPDATE ZNOTE SET ZWEIGHT = 1 WHERE Z_PK = 6")
    #expect(MappedFixture.kinds(try fixture.shop.verify()) == ["changed-value Note.weight 1 [6]"])
    // If entity mappings run row by row, statements still set the relationships.
    try MappedFixture.change(fixture.shop.output, "UPDATE ZNOTE SET ZKIND = 3 WHERE Z_PK = 2")
    #expect(
      MappedFixture.kinds(try fixture.shop.verify()) == [
        "changed-value Note.weight 1 [6]", "changed-target Note.kind 1 [2 → 1]",
      ])
  }

  @Test func theOrderOfALongPathIsCompared() throws {
    let shop = try Workshop(
      "Note\n tag -> Tag.notes\nTag\n notes ->> Note.tag\n pages ->> Page.tag\nPage\n tag -> Tag.pages",
      "Note\n pages ->> Page.notes ordered\nPage\n notes ->> Note.pages")
    try shop.map(
      """
      { source: "Note", destination: "Note",
        relationships: { pages: { path: "$source.tag.pages", mapping: "PageToPage" } } },
      { source: "Page", destination: "Page" }, { remove: "Tag" },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1);
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTAG) VALUES (1, 1, 1, 1), (2, 1, 1, 1);
      INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZTAG) VALUES (1, 2, 1, 1), (2, 2, 1, 1), (3, 2, 1, 1);
      """)
    _ = try Migration.run(shop.job())
    let report = try shop.verify()
    #expect(report.isEqual && report.compared.orders == 1, "\(report)")
    #expect(report.expected == [.init(kind: .entityGone, entity: "Tag", count: 1)], "\(report)")
    try MappedFixture.change(
      shop.output, "UPDATE Z_1PAGES SET Z_FOK_2PAGES = 9999 WHERE Z_1NOTES = 2 AND Z_2PAGES = 1")
    #expect(MappedFixture.kinds(try shop.verify()) == ["changed-order Note.pages 1 [2]"])
  }

  @Test func anInferredStepIsHeldAgainstItsAssociationsToo() throws {
    let shop = try Workshop("Note\n text String?\nTag < Note", "Note\n body String? was text\nTag < Note")
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'), (2, 2, 1, 'b'), (3, 1, 1, 'c'), (4, 1, 1, 'd')"
    )
    var job = shop.job()
    job.keepsAssociations = true
    _ = try Migration.run(job)
    let file = KeptAssociations.place(beside: shop.output)
    func kinds() throws -> [String] {
      MappedFixture.kinds(
        try Verification.run(
          source: shop.source, destination: shop.output, catalogue: shop.catalogue, associations: file,
          scratch: shop.folder.url.appendingPathComponent(UUID().uuidString)))
    }
    #expect(try kinds() == [])
    let good = try Data(contentsOf: file)
    let changes = [
      ("UPDATE runs SET destination = 9 WHERE first = 1", "moved-association Note 1 [1]"),
      ("UPDATE runs SET length = 1 WHERE first = 3", "lost-association Note 1 [4]"),
      ("UPDATE runs SET length = 3 WHERE first = 3", "stray-association Note 1 [3]"),
    ]
    for (change, found) in changes {
      try good.write(to: file)
      try MappedFixture.change(file, change)
      let kinds = try kinds()
      #expect(kinds.contains(found), "\(change): \(kinds)")
    }
  }

  @Test func anExpressionThatFailsNowIsTold() throws {
    let fixture = try MappedFixture()
    _ = try Migration.run(fixture.shop.job())
    // As if another mapping model had migrated the store.
    let file = fixture.shop.catalogue.appendingPathComponent("Notes/First.mapping.json5")
    let text = try String(contentsOf: file, encoding: .utf8)
    try text.replacing("$source.weight * 2", with: "$source.weight * 1000000000").write(
      to: file, atomically: true, encoding: .utf8)
    let report = try fixture.shop.verify()
    #expect(report.differences.contains { $0.kind == .failedExpression && $0.name == "NoteToNote" })
    #expect(
      report.lines(width: 1000).contains {
        $0.hasPrefix("- entity mapping “NoteToNote”: ") && $0.contains("“Note.weight”")
      },
      "\(report)")
  }
}
