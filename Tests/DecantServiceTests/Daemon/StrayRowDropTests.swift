import DecantMigration
import DecantModel
import DecantReport
import DecantSQLite
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

/// Stores with rows of no entity, with the built daemon and its worker.
@Suite("Rows of no entity through the real daemon") struct StrayRowDropTests {
  private static func contents(_ attribute: String) -> String {
    "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\"><entity name=\"Nota\">"
      + "<attribute name=\"texto\" optional=\"YES\" attributeType=\"String\"/>"
      + "<attribute name=\"\(attribute)\" optional=\"YES\" attributeType=\"String\"/></entity></model>"
  }

  @Test("stray rows and their list are delivered, and reports and log have the numbers; names may look alike")
  func delivered() throws {
    let daemon = try RealDaemon { folder in
      let bundle = "catalogue/Notas/Notas.xcdatamodeld"
      for (name, attribute) in [("Uno", "a"), ("Dos", "b")] {
        try folder.write(Self.contents(attribute), to: "\(bundle)/\(name).xcdatamodel/contents")
      }
      try folder.write(
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>Dos.xcdatamodel</string></dict></plist>",
        to: "\(bundle)/.xccurrentversion")
      try folder.write("{ strayRows: \"quarantine\" }", to: "catalogue/Notas/family.json5")
    }
    let folder = daemon.folder
    let names = ["caf\u{E9}", "cafe\u{301}"]
    for (index, name) in names.enumerated() {
      for (version, attribute, target) in [("Uno", "a", "old-"), ("Dos", "b", "current-")] {
        let model = try ModelContentsReader.read(Data(Self.contents(attribute).utf8)).model
        let layout = try StoreLayout(model, framework: .current)
        let hidden = "spool/incoming/.\(target)\(index)"
        try FileManager.default.createDirectory(
          atPath: folder.path(hidden), withIntermediateDirectories: true)
        let store = try DestinationStore(at: folder.path(hidden) + "/\(name).sqlite", layout: layout)
        try store.database.execute(
          "INSERT INTO ZNOTA (Z_PK, Z_ENT, Z_OPT, ZTEXTO) VALUES (1, 1, 1, '\(version)'), (2, \(index + 70), 1, 'stray')"
        )
        try store.finish(
          metadata: StoreMetadata(uuid: UUID().uuidString, entries: [:]).updated(
            for: model, framework: .current),
          maxima: [:], usesWriteAheadLog: false)
        try folder.rename(hidden, to: "spool/incoming/\(target)\(index)")
      }
    }
    #expect(daemon.eventually { daemon.isThrough })
    for (index, name) in names.enumerated() {
      let done = folder.path("spool/done/old-\(index)")
      let found = try FileManager.default.contentsOfDirectory(atPath: done)
      #expect(found.count == 7, "\(found)")
      for file in [".sqlite", ".quarantine-source.sqlite", ".quarantine-source.json"] {
        #expect(found.count { Array($0.utf8) == Array((name + file).utf8) } == 1, "\(file)")
      }
      for (file, row) in [(".sqlite", 1), (".quarantine-source.sqlite", 2)] {
        let database = try SQLiteDatabase(done + "/" + name + file, mode: .immutable)
        #expect(try database.rows("SELECT Z_PK FROM ZNOTA") == [[.integer(Int64(row))]], "\(file)")
      }
      let report = try JSONDecoder().decode(
        MigrationReport.self, from: Data(folder.text("spool/done/old-\(index)/report.json").utf8))
      #expect(report.strayRows?.tables == [.init(table: "ZNOTA", rows: 1)])
      #expect(Array((report.strayRows?.list ?? "").utf8) == Array("\(name).quarantine-source.json".utf8))
      #expect(
        try folder.text("spool/done/old-\(index)/report.txt").contains("Rows of no entity: 1 (ZNOTA 1), in "))
      let current = try folder.text("spool/done/current-\(index)/report.txt")
      #expect(current.contains("Rows of no entity: 1 (ZNOTA 1), still in the store."), "\(current)")
    }
    #expect(daemon.stop() == 0)
    let log = try folder.text("p.log")
    #expect(log.components(separatedBy: "event=stray-rows").count == 5, "\(log)")
    #expect(log.contains(" strayRows=1 "))
  }
}
