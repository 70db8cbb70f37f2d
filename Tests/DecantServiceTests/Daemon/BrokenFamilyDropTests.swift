import DecantMigration
import DecantModel
import DecantSynthesis
import DecantTestSupport
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

/// Two families with a common version, of which one is broken, with the built daemon and its worker.
@Suite("Stores of a broken family through the real daemon")
struct BrokenFamilyDropTests {
  /// A daemon whose family “Otra” has a broken setting, and a store “A” in `incoming/` that fits both families.
  private static func daemonWithDrop() throws -> RealDaemon {
    let daemon = try RealDaemon { folder in
      for family in ["Notas", "Otra"] {
        try folder.write(
          DaemonFixture.model, to: "catalogue/\(family)/Notas.xcdatamodeld/Notas.xcdatamodel/contents")
      }
      try folder.write("{ dataLos: 'refuse' }", to: "catalogue/Otra/family.json5")
    }
    let folder = daemon.folder
    let model = try ModelContentsReader.read(Data(DaemonFixture.model.utf8)).model
    try folder.makeFolder("drop")
    _ = try SyntheticStore.write(model: model, rows: 20, to: folder.path("drop/A.sqlite"))
    try daemon.drop("drop", as: "A")
    return daemon
  }

  @Test("a store that fits a broken family and a usable one waits, and continues after the repair")
  func shared() throws {
    let daemon = try Self.daemonWithDrop()
    let folder = daemon.folder
    #expect(
      daemon.eventually {
        (try? folder.text("p.log"))?.contains("event=waiting cause=catalogue") == true
      })
    let log = try folder.text("p.log")
    #expect(log.contains("dataLos"), "\(log)")
    #expect(try folder.names("spool/done").isEmpty && folder.names("spool/failed").isEmpty)
    try FileManager.default.removeItem(atPath: folder.path("catalogue/Otra"))
    #expect(daemon.eventually { (try? folder.names("spool/done").isEmpty) == false })
    #expect(try folder.names("spool/failed").isEmpty)
    #expect(daemon.stop() == 0)
  }

  @Test("the advice for a store that fits a broken family and a usable one can be followed to the end")
  func advice() throws {
    let daemon = try Self.daemonWithDrop()
    let folder = daemon.folder
    #expect(
      daemon.eventually { (try? folder.text("p.log"))?.contains("event=waiting cause=catalogue") == true })
    let job = try #require(try folder.names("spool/work").first { !$0.hasPrefix(".") })
    let record = try folder.text("spool/work/\(job)/job.json")
    #expect(record.contains("with a file “A.sqlite.request.json5” beside it that says { family:"), "\(record)")
    #expect(record.contains("move “\(folder.path("catalogue/Otra"))” out of the catalogue"), "\(record)")
    #expect(!record.contains("--family"), "\(record)")
    try folder.write("{ dataLoss: 'refuse' }", to: "catalogue/Otra/family.json5")
    #expect(daemon.eventually { (try? folder.names("spool/failed").isEmpty) == false })
    let failed = try #require(try folder.names("spool/failed").first)
    let reason = try folder.text("spool/failed/\(failed)/reason.json")
    #expect(reason.contains("ambiguous-family") && !reason.contains("--family"), "\(reason)")
    try folder.write(
      "{ family: \"Otra\" }", to: "spool/failed/\(failed)/original/A.sqlite.request.json5")
    try daemon.drop("spool/failed/\(failed)/original", as: "Again")
    #expect(daemon.eventually { (try? folder.names("spool/done").isEmpty) == false })
    #expect(try folder.text("spool/done/Again/report.json").contains("\"Otra\""))
    #expect(daemon.stop() == 0)
  }

  /// A model with the entity Nota, which has two attributes, and with further content.
  private static func model(_ second: String, _ rest: String = "") -> String {
    """
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Nota"><attribute name="texto" optional="YES" attributeType="String"/>
        <attribute name="\(second)" optional="YES" attributeType="String"/></entity>\(rest)
    </model>
    """
  }

  @Test("a store of a broken family's configuration waits, although another family has a similar version")
  func configuration() throws {
    let whole = Self.model(
      "dos",
      """
      <entity name="Otra"><attribute name="a" optional="YES" attributeType="String"/></entity>
      <configuration name="Nube"><memberEntity name="Nota"/></configuration>
      """)
    let daemon = try RealDaemon { folder in
      try folder.write(whole, to: "catalogue/Partida/M.xcdatamodeld/M.xcdatamodel/contents")
      try folder.write(Self.model("tres"), to: "catalogue/Sana/M.xcdatamodeld/M.xcdatamodel/contents")
      try folder.write("{ dataLos: 'refuse' }", to: "catalogue/Partida/family.json5")
    }
    let folder = daemon.folder
    let model = try ModelContentsReader.read(Data(Self.model("dos").utf8)).model
    try folder.makeFolder("drop")
    _ = try SyntheticStore.write(model: model, rows: 20, to: folder.path("drop/A.sqlite"))
    try daemon.drop("drop", as: "A")
    #expect(
      daemon.eventually { (try? folder.text("p.log"))?.contains("event=waiting cause=catalogue") == true })
    #expect(try folder.text("p.log").contains("dataLos"))
    #expect(try folder.names("spool/done").isEmpty && folder.names("spool/failed").isEmpty)
    try FileManager.default.removeItem(atPath: folder.path("catalogue/Partida/family.json5"))
    #expect(daemon.eventually { (try? folder.names("spool/done").isEmpty) == false })
    let report = try folder.text("spool/done/A/report.json")
    #expect(report.contains("\"Partida\"") && report.contains("configuration Nube"), "\(report)")
    #expect(daemon.stop() == 0)
  }

  @Test("report and log name a family with an unreadable version; stores of other families are migrated")
  func partlyUnreadable() throws {
    let daemon = try RealDaemon { folder in
      let bundle = "catalogue/Partida/M.xcdatamodeld"
      try folder.write(Self.model("tres"), to: "\(bundle)/Nueva.xcdatamodel/contents")
      try folder.write("<model", to: "\(bundle)/Vieja.xcdatamodel/contents")
      try folder.write(Self.model("dos"), to: "catalogue/Sana/M.xcdatamodeld/M.xcdatamodel/contents")
    }
    let folder = daemon.folder
    let model = try ModelContentsReader.read(Data(Self.model("dos").utf8)).model
    try folder.makeFolder("drop")
    _ = try SyntheticStore.write(model: model, rows: 20, to: folder.path("drop/A.sqlite"))
    try daemon.drop("drop", as: "A")
    #expect(daemon.eventually { (try? folder.names("spool/done").isEmpty) == false })
    let report = try folder.text("spool/done/A/report.json")
    #expect(report.contains("“Partida” of the catalogue was ignored"), "\(report)")
    #expect(report.contains("Vieja.xcdatamodel"), "\(report)")
    #expect(daemon.stop() == 0)
    #expect(try folder.text("p.log").contains("warnings=1"))
  }
}
