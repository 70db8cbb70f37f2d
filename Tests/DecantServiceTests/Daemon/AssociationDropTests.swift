import DecantMigration
import DecantModel
import DecantTestSupport
import DecantVerification
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

/// A family that keeps its associations, with the built daemon and its worker.
@Suite("Kept associations through the real daemon")
struct AssociationDropTests {
  private static func contents(_ attribute: String) -> String {
    "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\"><entity name=\"Nota\">"
      + "<attribute name=\"\(attribute)\" optional=\"YES\" attributeType=\"String\"/></entity></model>"
  }

  @Test("the association file is in the delivered folder, the report names it, and verify uses it")
  func delivered() throws {
    let daemon = try RealDaemon { folder in
      let bundle = "catalogue/Notas/Notas.xcdatamodeld"
      try folder.write(Self.contents("texto"), to: "\(bundle)/Uno.xcdatamodel/contents")
      try folder.write(Self.contents("lema"), to: "\(bundle)/Dos.xcdatamodel/contents")
      try folder.write(
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>Dos.xcdatamodel</string></dict></plist>",
        to: "\(bundle)/.xccurrentversion")
      try folder.write("{ keepAssociations: true }", to: "catalogue/Notas/family.json5")
      try folder.write(
        """
        { source: "Uno", destination: "Dos", entityMappings: [ { source: "Nota", destination: "Nota",
          filter: "texto != nil", attributes: { lema: "uppercase($source.texto)" } } ] }
        """, to: "catalogue/Notas/Step.mapping.json5")
    }
    let folder = daemon.folder
    let model = try ModelContentsReader.read(Data(Self.contents("texto").utf8)).model
    let objects = """
      <object type="NOTA" id="z4"><attribute name="texto" type="string">hola</attribute></object>
      <object type="NOTA" id="z5"></object>
      """
    try folder.write(XMLStoreText(model, objects: objects).text, to: "spool/incoming/.n/N.xml")
    try folder.rename("spool/incoming/.n", to: "spool/incoming/N")
    #expect(daemon.eventually { daemon.isThrough })
    #expect(
      try folder.names("spool/done/N") == [
        "N.associations.sqlite", "N.xml", "original", "report.html", "report.json", "report.txt",
      ])
    #expect(
      try folder.text("spool/done/N/report.json").contains("\"associations\" : \"N.associations.sqlite\""))
    #expect(
      try folder.text("spool/done/N/report.txt").contains("Associations are in N.associations.sqlite."))
    let report = try Verification.run(
      source: URL(fileURLWithPath: folder.path("spool/done/N/original/N.xml")),
      destination: URL(fileURLWithPath: folder.path("spool/done/N/N.xml")),
      catalogue: URL(fileURLWithPath: folder.path("catalogue")),
      scratch: URL(fileURLWithPath: folder.path("scratch")))
    #expect(report.isEqual && report.compared.values == 1, "\(report)")
    #expect(
      try FinishedFolder("N", in: FolderHandle(path: folder.path("spool/done")), isDone: true).drop == "N")
    #expect(daemon.stop() == 0)
  }
}
