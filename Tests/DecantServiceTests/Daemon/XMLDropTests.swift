import DecantMigration
import DecantModel
import DecantSQLite
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@testable import DecantService
@testable import DecantSpool

/// XML and Binary stores with the built daemon and its worker.
@Suite("Stores of other kinds through the real daemon")
struct XMLDropTests {
  private static func contents(_ attributes: String) -> String {
    """
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="Nota">\(attributes)
    <relationship name="otra" optional="YES" maxCount="1" destinationEntity="Nota" inverseName="una"
      inverseEntity="Nota"/><relationship name="una" optional="YES" maxCount="1" destinationEntity="Nota"
      inverseName="otra" inverseEntity="Nota"/></entity></model>
    """
  }

  private static let old = contents(#"<attribute name="texto" optional="YES" attributeType="String"/>"#)
  private static let new = contents(
    #"<attribute name="título" optional="YES" attributeType="String" elementID="texto"/>"#)

  @Test(
    "an XML store becomes an SQLite store, unless it has the target version; unusable XML and Binary stores are refused"
  )
  func drops() throws {
    let daemon = try RealDaemon { folder in
      let bundle = "catalogue/Notas/Notas.xcdatamodeld"
      try folder.write(Self.old, to: "\(bundle)/Uno.xcdatamodel/contents")
      try folder.write(Self.new, to: "\(bundle)/Dos.xcdatamodel/contents")
      try folder.write(
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>Dos.xcdatamodel</string></dict></plist>",
        to: "\(bundle)/.xccurrentversion")
    }
    let folder = daemon.folder
    let (one, two) = (
      try ModelContentsReader.read(Data(Self.old.utf8)).model,
      try ModelContentsReader.read(Data(Self.new.utf8)).model
    )
    let objects = """
      <object type="NOTA" id="z4"><attribute name="texto" type="string">hola</attribute>
      <relationship name="otra" type="1/1" destination="NOTA" idrefs="z5"/></object>
      <object type="NOTA" id="z5"><relationship name="una" type="1/1" destination="NOTA" idrefs="z4"/></object>
      """
    let current = XMLStoreText(two, objects: #"<object type="NOTA" id="z1"/>"#).text
    var tiger = XMLStoreText(one, objects: objects)
    tiger.metadata = ""
    for (name, text) in [
      ("old.xml", XMLStoreText(one, objects: objects).text), ("current.storedata", current),
      ("tiger.xml", tiger.text),
      ("cut.xml", String(XMLStoreText(one, objects: objects).text.dropLast(30))),
      ("page.xml", "<?xml version='1.0'?><html/>"),
    ] {
      try folder.write(text, to: "spool/incoming/.\(name)/\(name)")
      try folder.rename("spool/incoming/.\(name)", to: "spool/incoming/drop of \(name)")
    }
    try folder.makeFolder("spool/incoming/.b")
    try PropertyList.dictionary(["a": .integer(1)]).binaryData().write(
      to: URL(fileURLWithPath: folder.path("spool/incoming/.b/binary.store")))
    try folder.rename("spool/incoming/.b", to: "spool/incoming/drop of binary.store")
    #expect(daemon.eventually { daemon.isThrough })
    #expect(try folder.names("spool/done") == ["drop of current.storedata", "drop of old.xml"])
    #expect(try folder.text("spool/done/drop of current.storedata/current.storedata") == current)
    let database = try SQLiteDatabase(folder.path("spool/done/drop of old.xml/old.xml"), mode: .immutable)
    #expect(
      try database.rows("SELECT Z_PK, ZTÍTULO, ZOTRA, ZUNA FROM ZNOTA ORDER BY 1") == [
        [.integer(4), .text("hola"), .integer(5), .null], [.integer(5), .null, .null, .integer(4)],
      ])
    #expect(try folder.text("spool/done/drop of old.xml/report.txt").contains("NSSQLiteStoreType"))
    #expect(try folder.text("spool/done/drop of old.xml/report.json").contains("\"storeType\""))
    var found: [String: String] = [:]
    for job in try folder.names("spool/failed") {
      let reason = try JSONDecoder().decode(
        RefusalReason.self, from: Data(folder.text("spool/failed/\(job)/reason.json").utf8))
      found[(reason.file as NSString).lastPathComponent] = reason.reason.word
    }
    #expect(
      found == [
        "tiger.xml": "no-version-hashes", "cut.xml": "damaged", "page.xml": "not-core-data",
        "binary.store": "binary-store",
      ])
    #expect(daemon.isRunning && daemon.stop() == 0)
  }
}
