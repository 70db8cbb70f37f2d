import DecantModel
import DecantTestSupport
import Foundation
import Testing

@Suite("Folders of model versions")
struct ModelBundleTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ version: String, entity: String = "Nota") throws {
    let data = ModelText.model("<entity name=\"\(entity)\"/>")
    try folder.write(
      String(decoding: data, as: UTF8.self), to: "N.xcdatamodeld/\(version).xcdatamodel/contents")
  }

  private func writeCurrent(_ inside: String) throws {
    try folder.write(
      "<plist version=\"1.0\"><dict>\(inside)</dict></plist>", to: "N.xcdatamodeld/.xccurrentversion")
  }

  private func read() throws -> ModelBundle {
    try ModelBundle.read(at: folder.url.appendingPathComponent("N.xcdatamodeld"))
  }

  /// The description of the error, without the folder's path; nil if the bundle can be read.
  private func fault(_ name: String = "N.xcdatamodeld") -> String? {
    do {
      _ = try ModelBundle.read(at: folder.url.appendingPathComponent(name))
      return nil
    } catch {
      return error.description.replacingOccurrences(of: folder.url.path + "/", with: "")
    }
  }

  @Test("of several versions the named one is current, with or without its file extension")
  func current() throws {
    for name in ["N 2", "N 10", "N"] { try write(name) }
    for name in ["N 2.xcdatamodel", "N 2"] {
      try writeCurrent("<key>_XCCurrentVersionName</key><string>\(name)</string>")
      let bundle = try read()
      #expect(bundle.name == "N")
      #expect(bundle.versions.map(\.name) == ["N", "N 2", "N 10"])
      #expect(try bundle.currentVersion().name == "N 2")
      #expect(try bundle.version(named: "N 10.xcdatamodel").name == "N 10")
      #expect(throws: ModelError.noSuchVersion("X", existing: ["N", "N 2", "N 10"])) {
        try bundle.version(named: "X")
      }
    }
  }

  @Test("a named version is read even if another version is broken or the current version is missing")
  func named() throws {
    try write("N")
    try folder.write("<model>", to: "N.xcdatamodeld/N 2.xcdatamodel/contents")
    try writeCurrent("<key>_XCCurrentVersionName</key><string>N 3</string>")
    let url = folder.url.appendingPathComponent("N.xcdatamodeld")
    for name in ["N", "N.xcdatamodel"] {
      let bundle = try ModelBundle.read(at: url, version: name)
      #expect(try bundle.version(named: name).name == "N")
      #expect(bundle.leftOut.map(\.name) == ["N 2"])
      #expect(bundle.leftOut.first?.error.description.contains("N 2.xcdatamodel") == true)
    }
    #expect(throws: ModelError.self) { try ModelBundle.read(at: url, version: "N 2") }
    #expect(throws: ModelError.self) { try read() }
  }

  @Test("a name in any Unicode normal form finds a version; if two look alike, the one with the same bytes")
  func forms() throws {
    let (composed, decomposed) = ("Caf\u{e9}", "Cafe\u{301}")
    try write(composed, entity: "A")
    for name in [decomposed, decomposed + ".xcdatamodel"] {
      #expect(try read().version(named: name).model.entities.map(\.name) == ["A"])
      try writeCurrent("<key>_XCCurrentVersionName</key><string>\(name)</string>")
      #expect(Array(try read().currentVersionName?.utf8 ?? "".utf8) == Array(composed.utf8))
    }
    try write(decomposed, entity: "B")
    for (name, entity) in [(composed, "A"), (decomposed, "B")] {
      try writeCurrent("<key>_XCCurrentVersionName</key><string>\(name)</string>")
      #expect(try read().version(named: name).model.entities.map(\.name) == [entity])
      #expect(try read().version(named: name + ".xcdatamodel").model.entities.map(\.name) == [entity])
      #expect(try read().currentVersion().model.entities.map(\.name) == [entity])
    }
    try folder.write("<model>", to: "N.xcdatamodeld/\(decomposed).xcdatamodel/contents")
    let url = folder.url.appendingPathComponent("N.xcdatamodeld")
    #expect(try ModelBundle.read(at: url, version: composed).leftOut.count == 1)
    #expect(throws: ModelError.self) { try ModelBundle.read(at: url, version: decomposed) }
  }

  @Test("a single version is current if nothing names the current version")
  func single() throws {
    try write("Only")
    #expect(try read().currentVersion().name == "Only")
    try writeCurrent("")
    #expect(try read().currentVersion().name == "Only")
    let alone = try ModelBundle.read(at: folder.url.appendingPathComponent("N.xcdatamodeld/Only.xcdatamodel"))
    #expect(alone.name == "Only")
    #expect(try alone.currentVersion().model.entities.map(\.name) == ["Nota"])
  }

  @Test("a bundle of several versions without a current one can be read, but has no current version")
  func undecided() throws {
    try write("A")
    try write("B")
    for text in [nil, ""] as [String?] {
      if let text { try writeCurrent(text) }
      let bundle = try read()
      #expect(bundle.currentVersionName == nil)
      let error = #expect(throws: ModelError.self) { try bundle.currentVersion() }
      #expect(
        error?.description
          == "the folder holds 2 versions and doesn't say which one is current; name one as "
          + "BUNDLE#VERSION: A, B")
    }
  }

  @Test("a missing current version is refused")
  func missingCurrent() throws {
    try write("A")
    try writeCurrent("<key>_XCCurrentVersionName</key><string>B.xcdatamodel</string>")
    #expect(fault() == "N.xcdatamodeld/.xccurrentversion: there is no version “B”; there are: A")
  }

  @Test("a .xccurrentversion that isn't a property list is refused")
  func tornCurrent() throws {
    try write("A")
    for text in ["", "<plist><dict>", "bplist00", "junk"] {
      try folder.write(text, to: "N.xcdatamodeld/.xccurrentversion")
      #expect(
        fault() == "N.xcdatamodeld/.xccurrentversion: can't be read: neither a binary nor an XML property list")
    }
  }

  @Test("a folder without versions, a missing folder and files of other forms are refused")
  func faults() throws {
    #expect(fault() == "N.xcdatamodeld: no such file or folder")
    try folder.write("x", to: "N.xcdatamodeld/README")
    #expect(
      fault()
        == "N.xcdatamodeld: the folder holds no model version (*.xcdatamodel or *.mom); copy the whole .xcdatamodeld "
        + "or .momd")
    try folder.write("x", to: "Old.xcdatamodel/elements")
    #expect(
      fault("Old.xcdatamodel")
        == "Old.xcdatamodel: not a keyed archive in binary form; it is damaged or of another kind")
    try folder.write("x", to: "Hollow.xcdatamodel/other")
    #expect(
      fault("Hollow.xcdatamodel")
        == "Hollow.xcdatamodel: not a Core Data model: the folder has neither a file “contents” nor "
        + "a file “elements” (before Xcode 4)")
    #expect(fault("none.xcdatamodel") == "none.xcdatamodel: no such file or folder")
    #expect(fault("none.momd") == "none.momd: no such file or folder")
    try folder.write("x", to: "a.txt")
    #expect(
      fault("a.txt")
        == "a.txt: the model is in the form “.txt”, which isn't read: give an .xcdatamodeld, .xcdatamodel, .momd or "
        + ".mom"
    )
    try folder.write("x", to: "File.xcdatamodeld")
    #expect(fault("File.xcdatamodeld")?.hasPrefix("File.xcdatamodeld: ") == true)
  }

  @Test("for a damaged version the error names the version's folder and the line")
  func tornVersion() throws {
    try write("A")
    try folder.write("<model>\n<entity", to: "N.xcdatamodeld/B.xcdatamodel/contents")
    #expect(fault()?.hasPrefix("N.xcdatamodeld/B.xcdatamodel: line 2: ") == true)
  }

  @Test(
    "a FIFO, a folder or a too large file instead of a model's file is refused without waiting",
    .timeLimit(.minutes(10)))
  func noRegularFile() throws {
    try folder.write("x", to: "Pipe.xcdatamodel/other")
    mkfifo(folder.path("Pipe.xcdatamodel/contents"), 0o600)
    #expect(fault("Pipe.xcdatamodel") == "Pipe.xcdatamodel: can't be read: it isn't a regular file")
    try folder.write("x", to: "Dir.xcdatamodel/contents/x")
    #expect(fault("Dir.xcdatamodel") == "Dir.xcdatamodel: can't be read: it isn't a regular file")
    try folder.write("", to: "Long.xcdatamodel/contents")
    truncate(folder.path("Long.xcdatamodel/contents"), 65 << 20)
    #expect(
      fault("Long.xcdatamodel")?.hasPrefix("Long.xcdatamodel: can't be read: it has more than 64 MiB") == true)
  }
}
