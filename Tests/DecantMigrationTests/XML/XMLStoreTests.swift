import DecantModel
import DecantStore
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("XML stores as sources") struct XMLStoreTests {
  /// Writes an XML store of a version as the source of a workshop.
  @discardableResult
  static func write(
    _ shop: Workshop, of version: String = "V1", next: Int = 0, framework: Int? = 407, _ objects: String
  ) throws -> URL {
    try FileManager.default.createDirectory(
      at: shop.source.deletingLastPathComponent(), withIntermediateDirectories: true)
    let text = XMLStoreText(try shop.model(version), next: next, framework: framework, objects: objects)
    try text.data.write(to: shop.source)
    return shop.source
  }

  private static let kinds = """
    Item
      big Int64?
      blob Binary? external
      code Transformable?
      count Int16?
      data Binary?
      exact Decimal?
      flag Bool?
      half Float?
      id UUID?
      link URI?
      long Int32?
      name String?
      size Double?
      when Date?
    """

  @Test func everyKindOfValueArrivesAsAnSQLiteStoreHoldsIt() throws {
    let shop = try Workshop(Self.kinds, Self.kinds.replacing("name String?", with: "title String? was name"))
    try Self.write(
      shop, next: 12,
      """
      <object type="ITEM" id="z7">
        <attribute name="big" type="int64">-9223372036854775808</attribute>
        <attribute name="blob" type="binary">
          AAEC
          /w==
        </attribute>
        <attribute name="code" type="transformable">YnBsaXN0</attribute>
        <attribute name="count" type="int16">-32768</attribute>
        <attribute name="data" type="binary">AAEC/w==</attribute>
        <attribute name="exact" type="decimal">10.11</attribute>
        <attribute name="flag" type="bool">1</attribute>
        <attribute name="half" type="float">0.1</attribute>
        <attribute name="id" type="uuid">0B6E7A52-3F5C-4B0D-9B34-0F1D2A3B4C5D</attribute>
        <attribute name="link" type="uri">https://example.org/a?b=1&amp;c=2</attribute>
        <attribute name="long" type="int32">2147483647</attribute>
        <attribute name="name" type="string">  Ünï &lt;&#x1F600;&gt; \\u3c00b\\u3e00 \\u3dd8\\u00de C:\\up </attribute>
        <attribute name="size" type="double">-1.25e3</attribute>
        <attribute name="when" type="date">131356800.50000000000000000000</attribute>
      </object>
      <object type="ITEM" id="z9">
        <attribute name="data" type="binary"></attribute>
        <attribute name="flag" type="bool">0</attribute>
        <attribute name="name" type="string"></attribute>
      </object>
      <object type="ITEM" id="z8"/>
      """)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Item#7 big=-9223372036854775808 blob=x01000102ff code=x62706c697374 count=-32768 data=x000102ff exact=10.11 "
          + "flag=1 half=0.10000000149011612 id=x0b6e7a523f5c4b0d9b340f1d2a3b4c5d link='https://example.org/a?b=1&c=2' "
          + "long=2147483647 size=-1250.0 title='  Ünï <😀> <b> 😀 C:\\up ' when=131356800.5",
        "Item#8", "Item#9 data=x flag=0 title=''",
      ])
    #expect(result.rows == ["ItemToItem 3"])
    #expect(result.report.storeType == "XML")
    #expect(
      result.report.warnings == [
        "Store.sqlite is an XML store, and the new store is an SQLite store: the application has to open it as "
          + "NSSQLiteStoreType."
      ])
  }

  @Test func metadataUUIDAndNumbersLiveOnAndTheFrameworkIsTheLargerOne() throws {
    let shop = try Workshop("Item\n name String?\nOther", "Item\n name String?\n id UUID?\nOther")
    try Self.write(shop, next: 40, #"<object type="ITEM" id="z7"></object>"#)
    let plan = try Migration.plan(shop.job())
    #expect(plan.storeType == "XML" && plan.rows == 1 && plan.steps.map(\.framework) == [847])
    let store = try shop.migrate().store
    #expect(store.metadata.uuid == XMLStoreText.uuid)
    let entries = store.metadata.entries
    #expect(entries["Favourite"] == .string("blue & green") && entries["Ratio"] == .real(1.5))
    #expect(entries["Sure"] == .boolean(true) && entries["Opened"] == .date(352_203_630))
    #expect(entries["NSStoreType"] == .string("SQLite") && store.metadata.framework?.number == 847)
    #expect(
      try store.store.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1") == [
        [.text("Item"), .integer(40)], [.text("Other"), .integer(40)],
      ])
    #expect(store.store.usesWriteAheadLog)
  }

  @Test func aStoreWithoutAFrameworkVersionIsWrittenForTheCurrentOne() throws {
    let shop = try Workshop("Item", "Item\n name String?")
    try Self.write(shop, framework: nil, #"<object type="ITEM" id="z1"/>"#)
    #expect(try shop.migrate().store.metadata.framework == .current)
  }

  @Test func atTheTargetItIsHandedOnAsItIsUnlessItIsToBeRewritten() throws {
    let shop = try Workshop("Item\n name String?")
    try Self.write(shop, #"<object type="ITEM" id="z3"><attribute name="name">a</attribute></object>"#)
    let report = try Migration.run(shop.job())
    #expect(report.result == .alreadyCurrent && report.storeType == "XML")
    #expect(!FileManager.default.fileExists(atPath: shop.output.path))
    #expect(!FileManager.default.fileExists(atPath: shop.work.path))
    #expect(report.warnings.first?.contains("stays an XML store; “decant migrate --rewrite”") == true)
    #expect(try shop.migrate(rewrite: true).lines == ["Item#3 name='a'"])
    // A user who drops a store has no command line.
    var drop = shop.job()
    drop.isOfDrop = true
    #expect(
      try Migration.run(drop).warnings.first?.hasSuffix(
        "has the target version already and stays an XML store.") == true)
  }

  @Test func aStoppedRunGoesOnToTheSameStore() throws {
    let texts = [
      "Item\n name String?\n of -> Box.items\nBox\n items ->> Item.of ordered",
      "Item\n of -> Box.items\nBox\n items ->> Item.of ordered",
    ]
    let objects =
      (1...30).map { number in
        "<object type=\"ITEM\" id=\"z\(number)\"><attribute name=\"name\" type=\"string\">\(number)</attribute>"
          + "<relationship name=\"of\" type=\"1/1\" destination=\"BOX\" idrefs=\"z\(31 + number % 3)\"/></object>"
      }
      + (31...33).map { box in
        let items = (1...30).filter { 31 + $0 % 3 == box }.reversed().map { "z\($0)" }.joined(separator: " ")
        return "<object type=\"BOX\" id=\"z\(box)\">"
          + "<relationship name=\"items\" type=\"0/0\" destination=\"ITEM\" idrefs=\"\(items)\"/></object>"
      }
    let whole = try Workshop(texts)
    try Self.write(whole, objects.joined())
    let expected = try whole.migrate(chunkSize: 1)
    #expect(
      expected.lines.first
        == "Box#31 items=(Item#30 Item#27 Item#24 Item#21 Item#18 Item#15 Item#12 Item#9 Item#6 Item#3)")
    for limit in [1, 9, 30] {
      let shop = try Workshop(texts)
      try Self.write(shop, objects.shuffled().joined())
      let stop = StopAfter(limit)
      #expect(throws: MigrationFailure.self) {
        try Migration.run(shop.job(chunkSize: 1), shouldStop: { stop.isReached })
      }
      // Files that a killed run may have left.
      for name in ["outline.sqlite", "import.sqlite", "import.sqlite-journal"] {
        try shop.folder.write("SQLite format 3, half written", to: "out/work/copy/\(name)")
      }
      #expect(try shop.migrate(chunkSize: 1).store.objects == expected.store.objects)
    }
  }

  @Test func aVersionThatTheCatalogueLacksAndATargetWithOpenNamesAreRefusedAsForSQLiteStores() throws {
    let shop = try Workshop("Item\n name String?", "Item")
    let other = try Workshop("Item\n name String?\n more Date?")
    try XMLStoreText(try other.model("V1"), objects: "").data.write(to: Self.write(shop, ""))
    let failure = try shop.failure()
    #expect(failure.reason == .unknownVersion && failure.message.contains("The nearest is"), "\(failure)")
    let open =
      "Note\n s String?\n s1 String?\nSub < Note\n s2 String?\nOther < Note\n s1 Int16?"
    let unsettled = try Workshop(open)
    try Self.write(unsettled, "")
    let layout = try StoreLayout(unsettled.model("V1"), framework: .current)
    try #require(!layout.unsettled.isEmpty)
    #expect(try unsettled.failure(rewrite: true).reason == .unsettledLayout)
  }

  @Test(.enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
  func theGenuineStoreGoesToAnotherVersionAndToItsOwn() throws {
    let genuine = try #require(SharedFixtures.manifest.first { $0.store == "TestStore.storedata" })
    let text =
      "Companies\n name String?\n employees ->> People.company\nPeople\n dateOfBirth Date?\n name String?\n"
    let shop = try Workshop(
      text + " company -> Companies.employees least 1",
      text.replacing("name String?", with: "title String? was name")
        + " company -> Companies.employees least 1\n age Int16?")
    let url = try SharedFixtures.copy(genuine, into: shop.folder)
    try Self.write(shop, "")
    try FileManager.default.removeItem(at: shop.source)
    try FileManager.default.moveItem(at: url, to: shop.source)
    let expected = [
      "Companies#102 employees=[People#104 People#106] title='Acme Inc'",
      "Companies#105 employees=[People#103] title='Tesco'",
      "People#103 company=Companies#105 title='Joe Bloggs'",
      "People#104 company=Companies#102 title='Jane Doe'", "People#106 company=Companies#102 title='John Doe'",
    ]
    let result = try shop.migrate()
    #expect(
      result.lines.map { $0.split(separator: " ").sorted() }
        == expected.map { $0.split(separator: " ").sorted() })
    #expect(result.store.metadata.uuid == "02D6D8DF-58ED-4778-BC69-9D0D3C146F26")
    #expect(result.store.metadata.framework?.number == 407)
    try FileManager.default.removeItem(at: shop.output)
    #expect(
      try shop.migrate(to: "V1", rewrite: true).lines.map { $0.split(separator: " ").sorted() }
        == expected.map { $0.replacing("title=", with: "name=").split(separator: " ").sorted() })
  }
}

/// `isReached` is false for the first `limit` reads, and true for each later read.
private final class StopAfter: @unchecked Sendable {
  private let lock = NSLock()
  private var left: Int

  init(_ limit: Int) { left = limit }

  var isReached: Bool {
    lock.withLock {
      left -= 1
      return left < 0
    }
  }
}
