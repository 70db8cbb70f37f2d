import DecantMigration
import DecantModel
import DecantReport
import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

/// A family whose invalid objects go to quarantine, with the built daemon and its worker.
@Suite("Quarantines through the real daemon") struct QuarantineDropTests {
  private static func contents(_ attribute: String, isOptional: Bool) -> String {
    "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\"><entity name=\"Nota\">"
      + "<attribute name=\"\(attribute)\" \(isOptional ? "optional=\"YES\" " : "")attributeType=\"String\"/></entity></model>"
  }

  @Test("quarantine and list are in the delivered folder, and the reports name both")
  func delivered() throws {
    let daemon = try RealDaemon { folder in
      let bundle = "catalogue/Notas/Notas.xcdatamodeld"
      try folder.write(Self.contents("texto", isOptional: true), to: "\(bundle)/Uno.xcdatamodel/contents")
      try folder.write(Self.contents("lema", isOptional: false), to: "\(bundle)/Dos.xcdatamodel/contents")
      try folder.write(
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>Dos.xcdatamodel</string></dict></plist>",
        to: "\(bundle)/.xccurrentversion")
      try folder.write(
        """
        { source: "Uno", destination: "Dos", validation: "quarantine", entityMappings: [
          { source: "Nota", destination: "Nota", attributes: { lema: "$source.texto" } } ] }
        """, to: "catalogue/Notas/Step.mapping.json5")
    }
    let folder = daemon.folder
    let model = try ModelContentsReader.read(Data(Self.contents("texto", isOptional: true).utf8)).model
    let valid = #"<object type="NOTA" id="z4"><attribute name="texto" type="string">hola</attribute></object>"#
    for (name, objects) in [("N", valid + #"<object type="NOTA" id="z5"></object>"#), ("Valid", valid)] {
      try folder.write(XMLStoreText(model, objects: objects).text, to: "spool/incoming/.\(name)/\(name).xml")
      try folder.rename("spool/incoming/.\(name)", to: "spool/incoming/\(name)")
    }
    #expect(daemon.eventually { daemon.isThrough })
    #expect(
      try folder.names("spool/done/N") == [
        "N.quarantine.json", "N.quarantine.sqlite", "N.xml", "original", "report.html", "report.json",
        "report.txt",
      ])
    for (file, rows) in [
      ("N.xml", [[SQLiteValue.integer(4), .text("hola")]]), ("N.quarantine.sqlite", [[.integer(5), .null]]),
    ] {
      let database = try SQLiteDatabase(folder.path("spool/done/N/\(file)"), mode: .immutable)
      #expect(try database.rows("SELECT Z_PK, ZLEMA FROM ZNOTA ORDER BY 1") == rows, "\(file)")
    }
    let list = try folder.text("spool/done/N/N.quarantine.json")
    #expect(list.contains("\"property\": \"lema\", \"code\": 1570") && list.contains("/Nota/p5"), "\(list)")
    #expect(
      try folder.text("spool/done/N/report.txt").contains(
        "In quarantine: 1 object, in N.quarantine.sqlite; N.quarantine.json says why."))
    let report = try JSONDecoder().decode(
      MigrationReport.self, from: Data(folder.text("spool/done/N/report.json").utf8))
    let aside = try #require(report.steps.first?.quarantine)
    #expect(aside.store == "N.quarantine.sqlite" && aside.list == "N.quarantine.json" && aside.objects == 1)
    #expect(
      aside.reasons.map { "\($0.entity).\($0.property) \($0.code) \($0.objects)" } == ["Nota.lema 1570 1"])
    // Without refused objects, the folder has no file of a quarantine.
    #expect(
      try folder.names("spool/done/Valid") == [
        "Valid.xml", "original", "report.html", "report.json", "report.txt",
      ])
    #expect(!(try folder.text("spool/done/Valid/report.txt").contains("quarantine")))
    #expect(
      try FinishedFolder("N", in: FolderHandle(path: folder.path("spool/done")), isDone: true).drop == "N")
    #expect(daemon.stop() == 0)
  }
}
