import DecantMigration
import DecantModel
import DecantReport
import DecantTestSupport
import FileNames
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

/// The name of a drop, from `incoming/` to the reports.
@Suite("The name of a drop")
struct DropNameTests {
  private func report(_ fixture: DaemonFixture, _ folder: String) throws -> MigrationReport {
    let text = try fixture.folder.text("spool/done/\(folder)/report.json")
    return try JSONDecoder().decode(MigrationReport.self, from: Data(text.utf8))
  }

  @Test("the result of a folder has the folder's name, and report and every line of the log have it")
  func folder() throws {
    let fixture = try DaemonFixture()
    try fixture.put("migrate", "user17/Eventos.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 1 && fixture.work().isEmpty })
    #expect(try fixture.done() == ["user17"])
    #expect(
      try fixture.folder.names("spool/done/user17") == [
        "Eventos.sqlite", "original", "report.html", "report.json", "report.txt",
      ])
    let report = try report(fixture, "user17")
    #expect(report.drop == "user17")
    #expect(report.claimed?.hasSuffix("Z") == true)
    let job = try #require(report.job)
    let text = try fixture.folder.text("spool/done/user17/report.txt")
    #expect(text.contains("drop      user17\n") && text.contains("job       \(job)\n"), "\(text)")
    let lines = try fixture.log().filter { $0.contains("job=\(job)") }
    #expect(lines.count > 3)
    #expect(lines.allSatisfy { $0.contains(" drop=user17 store=Eventos.sqlite ") }, "\(lines)")
  }

  @Test("the result of a loose store has the store's name; if the name is taken, the job's name is appended")
  func taken() throws {
    let fixture = try DaemonFixture()
    try fixture.put("current", "user17/Eventos.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 1 && fixture.work().isEmpty })
    try fixture.put("current", "user17/Otros.sqlite")
    try fixture.put("current", "Eventos.sqlite")
    #expect(try fixture.turn { try fixture.done().count == 3 && fixture.work().isEmpty })
    let second = try #require(try fixture.done().last)
    let report = try report(fixture, second)
    #expect(try fixture.done() == ["Eventos.sqlite", "user17", "user17~\(report.job ?? "")"])
    #expect(report.drop == "user17")
  }

  @Test("a refusal also has the drop's name")
  func refused() throws {
    let fixture = try DaemonFixture()
    try fixture.put("some text\u{1}", "user17/Eventos.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.failed().count == 1 && fixture.work().isEmpty })
    let reason = try fixture.reason()
    #expect(reason.drop == "user17" && reason.store == "Eventos.sqlite" && reason.claimed.hasSuffix("Z"))
    #expect(try fixture.folder.text("spool/failed/\(reason.job)/report.txt").contains("drop      user17\n"))
    #expect(try fixture.log().contains { $0.contains("drop=user17") && $0.contains("event=failed") })
  }

  @Test("the name isn't lost if the daemon is killed while the job waits")
  func survives() throws {
    let fixture = try DaemonFixture()
    try fixture.put("retry", "user17/Eventos.sqlite")
    try fixture.start()
    #expect(fixture.turn { fixture.daemon?.dispatcher.queue.waiting.count == 1 })
    fixture.drop()
    try fixture.folder.write("", to: "catalogue/mended")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 1 && fixture.work().isEmpty })
    #expect(try fixture.done() == ["user17"])
    #expect(try report(fixture, "user17").drop == "user17")
    #expect(try fixture.log().contains { $0.contains("drop=user17") && $0.contains("event=resumed") })
  }

  private func sha256(_ path: String) throws -> String {
    let sum = Process()
    sum.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
    sum.arguments = ["--", path]
    let pipe = Pipe()
    sum.standardOutput = pipe
    try sum.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    sum.waitUntilExit()
    return String(String(decoding: data, as: UTF8.self).prefix(64))
  }

  @Test("the report has sizes and digests of the dropped and the delivered store, and the times in order")
  func digests() throws {
    func contents(_ attribute: String) -> String {
      "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\"><entity name=\"Nota\">"
        + "<attribute name=\"\(attribute)\" optional=\"YES\" attributeType=\"String\"/></entity></model>"
    }
    let daemon = try RealDaemon { folder in
      let bundle = "catalogue/Notas/Notas.xcdatamodeld"
      try folder.write(contents("texto"), to: "\(bundle)/Uno.xcdatamodel/contents")
      try folder.write(contents("lema"), to: "\(bundle)/Dos.xcdatamodel/contents")
      try folder.write(
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>Dos.xcdatamodel</string></dict></plist>",
        to: "\(bundle)/.xccurrentversion")
    }
    let folder = daemon.folder
    let objects = #"<object type="NOTA" id="z4"></object>"#
    let name = "cafe\u{301}.xml"
    for (drop, attribute) in [("old", "texto"), ("new", "lema")] {
      let model = try ModelContentsReader.read(Data(contents(attribute).utf8)).model
      try folder.write(XMLStoreText(model, objects: objects).text, to: "spool/incoming/.\(drop)/" + name)
      try folder.write("12345", to: "spool/incoming/.\(drop)/.cafe\u{301}_SUPPORT/_EXTERNAL_DATA/A")
      try folder.rename("spool/incoming/.\(drop)", to: "spool/incoming/\(drop)")
    }
    #expect(daemon.eventually { daemon.isThrough })
    #expect(try folder.names("spool/done") == ["new", "old"])
    for drop in ["old", "new"] {
      let text = try folder.text("spool/done/\(drop)/report.json")
      let report = try JSONDecoder().decode(MigrationReport.self, from: Data(text.utf8))
      #expect(report.store == "cafe\\xcc\\x81.xml")
      #expect(report.file.map { FileName($0) } == FileName(name))
      let delivered = folder.path("spool/done/\(drop)/") + name
      let dropped = drop == "old" ? folder.path("spool/done/\(drop)/original/") + name : delivered
      for (files, path) in [(report.source, dropped), (report.destination, delivered)] {
        let files = try #require(files)
        #expect(try files.sha256 == sha256(path), "\(drop)")
        #expect(try files.bytes == Data(contentsOf: URL(fileURLWithPath: path)).count)
        #expect(files.wal == nil && files.externalFiles == 1 && files.externalBytes == 5)
      }
      let times = try [report.claimed, report.begun, report.ended].map { try #require($0) }
      #expect(times == times.sorted() && times.allSatisfy { $0.count == 24 && $0.hasSuffix("Z") }, "\(times)")
    }
    #expect(daemon.stop() == 0)
  }
}
