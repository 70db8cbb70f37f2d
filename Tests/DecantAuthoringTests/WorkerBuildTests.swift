import CommandSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantAuthoring

/// Compiles packages that `decant worker new` writes.
@Suite(
  "Packages of worker new, compiled",
  .enabled(if: SwiftCompiler.inPath() != .missing, "swiftc isn't in PATH, so that no package can be compiled"))
struct WorkerBuildTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("decant-worker-build") }

  /// Runs a shell command in the folder.
  func shell(_ line: String) throws -> (code: Int32, output: String) {
    let output = folder.path("output")
    try Data().write(to: URL(fileURLWithPath: output))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = folder.url
    // SwiftPM leaves lock files in the folder for temporary files.
    try FileManager.default.createDirectory(
      atPath: folder.path("temporary"), withIntermediateDirectories: true)
    process.environment = ProcessInfo.processInfo.environment.merging([
      "DECANT": Repository.program("decant"), "root": Repository.root.path, "built": Repository.programs.path,
      "DESTDIR": "",
      "TMPDIR": folder.path("temporary"),
    ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    (process.standardOutput, process.standardError) = (handle, handle)
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOfFile: output, encoding: .utf8))
  }

  /// A test file for another package, which sees only Decant's public names.
  private static func otherPackage(catalogue: String) -> String {
    """
    import CoreData
    import Foundation
    import Testing
    import UIKit

    private enum Held {
      nonisolated(unsafe) static let model = NSManagedObjectModel(
        contentsOf: URL(fileURLWithPath: "\(catalogue)/Notes/Notes.xcdatamodeld/Notes.xcdatamodel"))
      static let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model ?? NSManagedObjectModel())
    }

    @Suite struct OtherPackage {
      @Test("migrationProgress is observed, and an open store is in a global variable")
      func observed() throws {
        let model = try #require(Held.model)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (old, new) = (folder.appendingPathComponent("old.sqlite"), folder.appendingPathComponent("new.sqlite"))
        let made = NSPersistentStoreCoordinator(managedObjectModel: model)
        try made.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: old, options: nil)
        let manager = NSMigrationManager(sourceModel: model, destinationModel: model)
        var parts: [Float] = []
        let token = manager.observe(\\.migrationProgress, options: [.new]) { _, change in
          parts.append(change.newValue ?? -1)
        }
        try manager.migrateStore(
          from: old, sourceType: NSSQLiteStoreType, options: nil,
          with: try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model),
          toDestinationURL: new, destinationType: NSSQLiteStoreType, destinationOptions: nil)
        token.invalidate()
        #expect(parts.last == 1)
        try Held.coordinator.addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: nil, at: new, options: nil)
        #expect(Held.coordinator.persistentStores.count == 1)
      }

      @Test("a staged migration manager among the options of a store is found, by its conformance alone")
      func staged() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent("old.sqlite")
        func model(_ version: String) throws -> NSManagedObjectModel {
          let bundle = URL(fileURLWithPath: "\(catalogue)/Notes/Notes.xcdatamodeld")
          return try NSManagedObjectModel.model(at: bundle.appendingPathComponent(version + ".xcdatamodel"))
        }
        let (old, new) = (try model("Notes"), try model("Notes 2"))
        let made = NSPersistentStoreCoordinator(managedObjectModel: old)
        try made.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let stage = NSCustomMigrationStage(
          migratingFrom: .init(model: old, versionChecksum: old.versionChecksum),
          to: .init(model: new, versionChecksum: new.versionChecksum))
        stage.willMigrateHandler = { _, _ in }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: new)
        let error = #expect(throws: CoreDataError.self) {
          try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [
              NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
              NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([stage]),
            ])
        }
        #expect(error?.message.contains("has a handler") == true)
      }
    }
    """
  }

  /// Gives the package a module `os` of its own, as the comment in its `Package.swift` says, and builds it.
  private func ownModule() throws {
    let manifest = folder.path("notes/Package.swift")
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    let changed = text.replacing("let others = [\"os\", \"UIKit\"]", with: "let others = [\"UIKit\"]")
      .replacing(
        ".executableTarget(name: \"notes-worker\",",
        with: ".target(name: \"os\"), .executableTarget(name: \"notes-worker\", dependencies: [\"os\"],")
    #expect(changed.contains(".target(name: \"os\")") && !changed.contains("[\"os\", \"UIKit\"]"))
    try folder.write(
      "public struct OwnLog: Sendable {\n  public init() {}\n}\n", to: "notes/Sources/os/OwnLog.swift")
    try folder.write(
      "import UIKit\nimport os\n\nlet log = OwnLog()\n", to: "notes/Sources/notes-worker/Log.swift")
    try folder.write(changed, to: "notes/Package.swift")
    let build = try shell("cd notes && swift build 2>&1")
    #expect(build.code == 0, "\(build.output)")
  }

  @Test("the sample builds with only the installed libraries, and its own tests pass")
  func sample() throws {
    let install = try shell(
      "$root/scripts/install --no-build --binaries $built --libraries --prefix \(folder.path("prefix"))")
    #expect(install.code == 0, "\(install.output)")
    let new = Captured(["worker", "new", folder.path("notes"), "--decant", folder.path("prefix")])
    #expect(new.code == 0 && new.messages.isEmpty, "\(new.messages)")
    try folder.write(
      "import UIKit\nimport os\n\nlet log = Logger(subsystem: \"org.example\", category: \"notes\")\n",
      to: "notes/Sources/notes-worker/Log.swift")
    try folder.write(
      Self.otherPackage(catalogue: folder.path("notes/models")), to: "notes/Tests/NotesWorkerTests/Other.swift"
    )
    let tests = try shell("cd notes && swift test 2>&1")
    #expect(tests.code == 0, "\(tests.output)")
    #expect(tests.output.contains("Test run with 4 tests in 2 suites passed"), "\(tests.output)")
    // A store in a global variable is open until the program ends, and its private folder is removed then.
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("temporary"))
    #expect(left.filter { $0.hasPrefix("decant-") }.isEmpty, "\(left)")
    // The tests fail if the policy omits a keyword.
    let policy = folder.path("notes/Sources/notes-worker/Policies/NotePolicy.swift")
    let text = try String(contentsOfFile: policy, encoding: .utf8)
    let broken = text.replacing(
      "names(in: old.keywords).sorted()", with: "names(in: old.keywords).sorted().dropLast()")
    #expect(broken != text)
    try Data(broken.utf8).write(to: URL(fileURLWithPath: policy))
    let failing = try shell("cd notes && swift test 2>&1")
    #expect(failing.code != 0 && failing.output.contains("every note is there"), "\(failing.output)")
    try ownModule()
  }

  @Test(
    "a package with its own module “os” builds against a checkout, because Decant's module gets another name")
  func ownModuleBesideCheckout() throws {
    let new = Captured(["worker", "new", folder.path("w"), "--decant", Repository.root.path, "--quiet"])
    #expect(new.code == 0, "\(new.messages)")
    let written = try String(contentsOfFile: folder.path("w/Package.swift"), encoding: .utf8)
    let product = try #require(written.firstMatch(of: /\.product\(name: "os".*\)/)).output
    #expect(product.contains("moduleAliases"), "\(written)")
    let place = try #require(written.firstMatch(of: /dependencies: \[(\.package\(path: .*\))\],/)).output.1
    func manifest(_ product: some StringProtocol) -> String {
      """
      // swift-tools-version: 6.0
      import PackageDescription

      let package = Package(
        name: "own", dependencies: [\(place)],
        targets: [
          .target(name: "os"), .executableTarget(name: "own", dependencies: ["os", \(product)]),
        ])
      """
    }
    try folder.write("public struct OwnLog {\n  public init() {}\n}\n", to: "own/Sources/os/OwnLog.swift")
    try folder.write(
      "import DecantOS\nimport os\n\nprint(OwnLog(), Logger(subsystem: \"s\", category: \"c\"))\n",
      to: "own/Sources/own/main.swift")
    try folder.write(manifest(product), to: "own/Package.swift")
    let build = try shell("cd own && swift build 2>&1")
    #expect(build.code == 0, "\(build.output)")
    // Without the other name, SwiftPM refuses the package.
    try folder.write(manifest(product.replacing(/, moduleAliases: .*\]/, with: "")), to: "own/Package.swift")
    let refused = try shell("cd own && swift build 2>&1")
    #expect(refused.code != 0 && refused.output.contains("conflicting name"), "\(refused.output)")
  }

  @Test(
    "skeletons for policies and functions compile without a warning in both language modes",
    arguments: [5, 6])
  func skeletons(mode: Int) throws {
    let notes = try NotesFixture()
    try notes.folder.write(
      """
      { source: "Notes 2", destination: "Notes 3", others: "infer", entityMappings: [
        { name: "NoteToNote", source: "Note", destination: "Note", policy: "App.NotePolicy",
          attributes: {
            text: "FUNCTION($entityPolicy, 'textFor:', $source.text)",
            stars: "FUNCTION(CAST('App.Stars', 'Class'), 'starsOf:', $source.mood)" } } ] }
      """, to: "Models/Notes/Step.mapping.json5")
    try folder.write("", to: "prefix/lib/decant/swift/modules/CoreData.swiftmodule")
    let new = Captured([
      "worker", "new", folder.path("w"), "--decant", folder.path("prefix"), "--models", notes.catalogue,
      "--language-mode", "\(mode)", "--quiet",
    ])
    #expect(new.code == 0, "\(new.messages)")
    let compiling = try shell(
      "swiftc -typecheck -warnings-as-errors -swift-version \(mode) -module-name w_worker -I $built/Modules "
        + "-I $root/Sources $(find w/Sources -name '*.swift')")
    #expect(compiling.code == 0, "\(compiling.output)")
  }

  @Test("a class of the app may have the same name as one of the worker's types")
  func clashes() throws {
    for (version, attribute) in [("A", "size"), ("B", "width")] {
      try folder.write(
        """
        <?xml version="1.0"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Worker" representedClassName="Worker">
            <attribute name="\(attribute)" optional="YES" attributeType="Integer 32" elementID="size"/>
          </entity>
        </model>
        """, to: "Models/Staff/Staff.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try folder.write("{ target: \"B\" }", to: "Models/Staff/family.json5")
    try folder.write("", to: "prefix/lib/decant/swift/modules/CoreData.swiftmodule")
    let new = Captured([
      "worker", "new", folder.path("decant"), "--decant", folder.path("prefix"), "--models",
      folder.path("Models"), "--quiet",
    ])
    #expect(new.code == 0, "\(new.messages)")
    let program = folder.path("decant/Sources/decant-worker/DecantWorkerProgram.swift")
    #expect(
      try String(contentsOfFile: program, encoding: .utf8).contains(
        "DecantWorker.Worker.run(objects: [Worker.self])"))
    let compiling = try shell(
      "swiftc -typecheck -warnings-as-errors -swift-version 6 -module-name decant_worker -I $built/Modules "
        + "-I $root/Sources $(find decant/Sources -name '*.swift')")
    #expect(compiling.code == 0, "\(compiling.output)")
  }
}
