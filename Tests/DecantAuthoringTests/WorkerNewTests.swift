import CommandSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantAuthoring
@testable import DecantConsole

/// Checks the files that `decant worker new` writes.
///
/// `WorkerBuildTests` compiles some of these packages.
@Suite("The command worker new")
struct WorkerNewTests {
  let folder: TemporaryFolder
  /// An installation folder whose Swift module is an empty file: the command only checks that it exists.
  var prefix: String { folder.path("prefix") }

  init() throws {
    folder = try TemporaryFolder("decant-worker")
    try folder.write("", to: "prefix/lib/decant/swift/modules/CoreData.swiftmodule")
    if case .version(let version) = SwiftCompiler.inPath() {
      try folder.write(version + "\n", to: "prefix/lib/decant/swift/compiler")
    }
  }

  static let examples = Repository.root.appendingPathComponent("config/examples").path

  private func new(_ name: String = "notes", _ more: String...) -> Captured {
    Captured(["worker", "new", folder.path(name), "--decant", prefix] + more)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  private func names(below name: String = "") throws -> [String] {
    (FileManager.default.enumerator(atPath: folder.path(name))?.compactMap { $0 as? String } ?? []).sorted()
  }

  @Test("without models it writes a sample: policy, classes, models, tests, README")
  func sample() throws {
    let run = new()
    #expect(run.code == 0 && run.messages.isEmpty, "\(run.messages)")
    let summary = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(summary.hasPrefix("Written: \(folder.path("notes")), the worker notes-worker with NotePolicy"))
    #expect(
      run.lines.suffix(3) == [
        "Then (README.md in the package says more):", "  swift test --package-path \(folder.path("notes"))", "",
      ], "\(run.output)")
    #expect(
      try Set(names(below: "notes")).isSuperset(of: [
        ".gitignore", "Package.swift", "README.md", "Sources/notes-worker/NotesWorker.swift",
        "Sources/notes-worker/Objects/Note.swift", "Sources/notes-worker/Objects/Topic.swift",
        "Sources/notes-worker/Policies/NotePolicy.swift", "Tests/NotesWorkerTests/NotesWorkerTests.swift",
        "Tests/NotesWorkerTests/Rehearsal.swift", "models/Notes/Keywords.mapping.json5",
        "models/Notes/Notes.xcdatamodeld/.xccurrentversion",
      ]))
    let package = try text("notes/Package.swift")
    #expect(package.contains(#"?? "\#(prefix)/lib/decant/swift""#), "\(package)")
    #expect(package.contains("swiftLanguageModes: [.v6]") && !package.contains(".package("))
    #expect(
      try text("notes/Sources/notes-worker/NotesWorker.swift").contains(
        "Worker.run(policies: [NotePolicy.self], objects: [Note.self, Topic.self])"))
    let tests = try text("notes/Tests/NotesWorkerTests/NotesWorkerTests.swift")
    #expect(tests.contains("@testable import notes_worker") && tests.contains(#"target: "Notes 2""#))
    #expect(tests.contains("can be migrated and opened") && !tests.contains("Issue.record"), "\(tests)")
    let readme = try text("notes/README.md")
    #expect(!readme.contains("Each policy has a test that fails"))
    #expect(!run.output.contains("To complete"))
    for line in ["swift test", "decant migrate STORE --models models"] {
      #expect(readme.contains("\n\(line)"), "\(line)")
    }
    // The catalogue's only fault is the class that no worker has registered yet.
    let check = Captured(["check", folder.path("notes/models")])
    #expect(check.output.contains("1 error") && check.output.contains("NotePolicy"), "\(check.output)")
    #expect(try !names().contains { $0.contains(".decant-") })
  }

  @Test("an app's models are copied, and each class that they name is written")
  func models() throws {
    let run = new("agenda-app", "--models", Self.examples + "/4-contacts/policy", "--language-mode", "5")
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.messages.contains("“Contact.identifier” is String"), "\(run.messages)")
    let copy = folder.path("agenda-app/models/Contacts")
    let original = Self.examples + "/4-contacts/policy/Contacts"
    #expect(FileManager.default.contentsEqual(atPath: copy, andPath: original))
    #expect(try text("agenda-app/Package.swift").contains("swiftLanguageModes: [.v5]"))
    let policy = try text("agenda-app/Sources/agenda-app-worker/Policies/ContactPolicy.swift")
    #expect(
      policy.contains(
        "/// - “ContactToContact” of Contacts2ToContacts3: Contact → Contact\n/// - “ContactToContact” of ContactsToContacts3"
      ), "\(policy)")
    #expect(policy.contains("class ContactPolicy: NSEntityMigrationPolicy {"))
    let tests = try text("agenda-app/Tests/AgendaAppWorkerTests/AgendaAppWorkerTests.swift")
    for part in [#"name: "Contacts","#, #"name: "Contacts 2","#, "func contactPolicy()"] {
      #expect(tests.contains(part), "\(part)")
    }
    #expect(tests.contains("new.count == old.count"))
    // The test of a policy fails until the policy is written.
    #expect(
      tests.contains("Issue.record(\"Replace this line with checks of what ContactPolicy has to make.\")"),
      "\(tests)")
    #expect(
      try text("agenda-app/README.md").contains("Each policy has a test that fails until you write checks"))
    #expect(
      tests.contains("\n    let old = try run.source.objects(\"Contact\")\n    let new = try run.result."),
      "\(tests)")
    let classes = Captured([
      "classes", copy + "/Contacts.xcdatamodeld#Contacts", copy + "/Contacts.xcdatamodeld#Contacts 2",
      copy + "/Contacts.xcdatamodeld#Contacts 3",
    ])
    #expect(
      try text("agenda-app/Sources/agenda-app-worker/Objects/Contact.swift") + "\n" == classes.output
        || classes.output == text("agenda-app/Sources/agenda-app-worker/Objects/Contact.swift"))
  }

  @Test("a bundle and its mapping model become a family; each method that an expression calls gets a skeleton")
  func mapping() throws {
    let notes = try NotesFixture()
    try notes.folder.write(
      """
      { source: "Notes 2", destination: "Notes 3", others: "infer", entityMappings: [
        { name: "NoteToNote", source: "Note", destination: "Note", policy: "App.NotePolicy", filter: "text != nil",
          attributes: {
            text: "FUNCTION($entityPolicy, 'textFor:', $source.text)",
            stars: "FUNCTION(CAST('App.Stars', 'Class'), 'starsOf:', $source.mood)" } } ] }
      """, to: "Step.mapping.json5")
    let file = notes.folder.path("Step.mapping.json5")
    let run = new("w", "--models", notes.bundle, "--mapping", file, "--json")
    #expect(run.code == 0, "\(run.messages)")
    let json = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(json["policies"] as? [String] == ["NotePolicy"] && json["functions"] as? [String] == ["Stars"])
    #expect((json["oldVersions"] as? [[String: String]])?.map { $0["name"] } == ["Notes", "Notes 2"])
    #expect((json["decant"] as? [String: String])?["kind"] == "libraries")
    #expect((json["files"] as? [String])?.contains("Sources/w-worker/WWorker.swift") == true)
    let policy = try text("w/Sources/w-worker/Policies/NotePolicy.swift")
    #expect(policy.contains("override func invoke(") && policy.contains(#"case "textFor:":"#), "\(policy)")
    let stars = try text("w/Sources/w-worker/Policies/Stars.swift")
    #expect(
      stars.contains("enum Stars: MigrationFunctions {") && stars.contains(#"case "starsOf:":"#), "\(stars)")
    #expect(try text("w/Sources/w-worker/WWorker.swift").contains("functions: [Stars.self]"))
    #expect(try text("w/Tests/WWorkerTests/WWorkerTests.swift").contains("new.count <= old.count"))
    #expect(try text("w/README.md").contains("`textFor:`, `starsOf:`"))
    #expect(try names(below: "w/models").contains("Notes/Step.mapping.json5"))
  }

  @Test("a faulty catalogue is refused with its findings, and no files are left")
  func faults() throws {
    let notes = try NotesFixture()
    try notes.folder.write(
      """
      { source: "Notes 2", destination: "Notes 3", entityMappings: [
        { name: "NoteToNote", source: "Note", destination: "Nota", policy: "NotePolicy" } ] }
      """, to: "Models/Notes/Step.mapping.json5")
    let run = new("w", "--models", notes.catalogue)
    #expect(run.code == 78 && run.output.isEmpty)
    #expect(run.messages.contains("Nota") && run.messages.contains(notes.catalogue), "\(run.messages)")
    #expect(
      !run.messages.contains(".decant-") && !run.messages.contains("NotePolicy” is registered"),
      "\(run.messages)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["prefix"])
    let none = new("w", "--models", folder.path("nowhere"))
    #expect(none.code == 66, "\(none.messages)")
    let single = try folder.write(
      NotesFixture.contents(""), to: "One.xcdatamodeld/One.xcdatamodel/contents"
    ).deletingLastPathComponent().deletingLastPathComponent()
    let alone = new("w", "--models", single.path)
    #expect(alone.code == 65 && alone.messages.contains("no old version"), "\(alone.messages)")
  }

  @Test("a folder is refused if it isn't empty, can't be made or has no parent folder")
  func places() throws {
    try folder.write("mine", to: "taken/file")
    #expect(new("taken").code == 73 && new("taken").messages.contains("isn't empty"))
    #expect(try text("taken/file") == "mine" && names(below: "taken") == ["file"])
    #expect(new("taken/file").code == 73)
    #expect(new("nowhere/deep").code == 73)
    try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: false)
    #expect(new("empty").code == 0)
    #expect(try names(below: "empty").contains("Package.swift"))
    let inProc = Captured(["worker", "new", "/proc/worker", "--decant", prefix])
    #expect([73, 77].contains(inProc.code), "\(inProc.code), \(inProc.messages)")
  }

  @Test(
    "the package and the type get names from the folder that Swift accepts",
    arguments: [
      ("notas-worker", "notas-worker", "NotasWorker"), ("NotasWorker", "notas-worker", "NotasWorker"),
      ("My App 2", "my-app-2-worker", "MyApp2Worker"), ("123", "app-123-worker", "App123Worker"),
      ("worker", "my-worker", "MyWorker"), ("日本", "my-worker", "MyWorker"),
      ("Épée", "epee-worker", "EpeeWorker"),
      ("--", "my-worker", "MyWorker"), ("CoreData/", "core-data-worker", "CoreDataWorker"),
    ])
  func workerNames(folder: String, package: String, type: String) {
    let name = WorkerName(folder: folder)
    #expect(name.package == package && name.type == type)
    #expect(name.module == package.replacing("-", with: "_"))
  }

  @Test("Decant is found as libraries or as a checkout; otherwise the message says what to do")
  func decant() throws {
    let missing = Captured(["worker", "new", folder.path("w"), "--decant", folder.path("w")])
    #expect(missing.code == 66, "\(missing.messages)")
    let other = Captured(["worker", "new", folder.path("w"), "--decant", folder.url.path])
    #expect(other.code == 66 && other.messages.contains("neither a checkout"), "\(other.messages)")
    let root = Repository.root.path
    #expect(throws: CommandFailure.self) {
      try DecantPlace.find(given: nil, program: folder.path("none/bin/decant"))
    }
    do {
      _ = try DecantPlace.find(given: nil, program: "\(root)/.build/debug/decant")
    } catch {
      #expect(error.exitCode == 66 && error.advice.contains("scripts/install --libraries"))
      #expect(error.advice.contains("--decant \(root)."), "\(error.advice)")
    }
    let installed = try DecantPlace.find(given: nil, program: prefix + "/bin/decant")
    #expect(installed == .libraries(prefix + "/lib/decant/swift"))
    let run = Captured(["worker", "new", folder.path("w"), "--decant", root])
    #expect(run.code == 0, "\(run.messages)")
    #expect(try text("w/Package.swift").contains(".package(path: \"\(root)\")"))
    #expect(try !text("w/Package.swift").contains("unsafeFlags"))
  }

  @Test("a warning says that the modules are for another version of Swift")
  func compiler() throws {
    try folder.write("Swift version 5.9 (swift-5.9-RELEASE)\n", to: "prefix/lib/decant/swift/compiler")
    let place = DecantPlace.libraries(prefix + "/lib/decant/swift")
    let other = place.compilerWarning(compiler: .version("Swift version 6.3.1 (swift-6.3.1-RELEASE)"))
    #expect(other?.contains("are for “Swift version 5.9 (swift-5.9-RELEASE)”, and swiftc is") == true)
    #expect(place.compilerWarning(compiler: .version("Swift version 5.9 (swift-5.9-RELEASE)")) == nil)
    #expect(place.compilerWarning(compiler: .missing)?.contains("no swiftc in PATH") == true)
    #expect(DecantPlace.checkout("/x").compilerWarning(compiler: .missing) == nil)
    let run = new()
    #expect(run.code == 0 && run.messages.contains("Swift version 5.9"), "\(run.messages)")
  }

  @Test("wrong arguments are refused; “decant worker” alone has its help")
  func usage() {
    #expect(new("w", "--language-mode", "4").code == 64)
    #expect(new("w", "--mapping", "x.cdm").code == 64)
    let alone = Captured(["worker"])
    #expect(alone.code == 64 && alone.messages.contains("DIR is missing"), "\(alone.messages)")
    let near = Captured(["worker", "nwe", "w"])
    #expect(near.code == 64 && near.messages.contains("Did you mean “worker new”?"), "\(near.messages)")
    for words in [
      ["worker", "new", "--help"], ["worker", "--help"], ["help", "worker", "new"], ["help", "worker"],
    ] {
      let help = Captured(words)
      #expect(
        help.code == 0 && help.output.contains("decant worker new DIR [OPTION…]"), "\(words): \(help.messages)")
    }
    let failure = Captured(["worker", "new", folder.path("w"), "--decant", folder.path("none"), "--json"])
    #expect(failure.code == 66 && failure.output.contains("\"reason\": \"no-such-file\""), "\(failure.output)")
  }
}
