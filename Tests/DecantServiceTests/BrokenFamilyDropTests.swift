import DecantMigration
import DecantModel
import DecantSynthesis
import DecantTestSupport
import Foundation
import Testing

@testable import DecantService

/// Two families that share a version, one of them with a slip, through the built daemon and its own worker.
@Suite("Stores of a broken family through the real daemon")
struct BrokenFamilyDropTests {
  @Test("a store that fits a broken family and a sound one waits, and goes on when the slip is mended")
  func shared() throws {
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
}
