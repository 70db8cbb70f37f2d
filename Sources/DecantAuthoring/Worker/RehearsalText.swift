internal import DecantConsole

/// The text of the file `Rehearsal.swift` in a new worker's tests, which runs the migration.
///
/// Only the worker's name differs between packages.
enum RehearsalText {
  static func text(_ name: WorkerName) -> String { head + paths(name) + tail }

  private static let head = """
    import CoreData
    import Testing

    /// An old version of stores, and the version to which they are migrated.
    struct OldVersion: Sendable, CustomTestStringConvertible {
      let family: String
      let name: String
      /// The path of the old version's model in the folder “models”.
      let model: String
      let target: String
      let targetModel: String

      var testDescription: String { "\\(family): \\(name)" }
    }

    /// A store of a version, generated or given, and the store that the worker makes from it.
    ///
    /// A rehearsal needs the program “decant”: in PATH, or at the path in the environment variable DECANT.
    final class Rehearsal {
      /// The store before the migration.
      let source: OpenedStore
      /// The store after the migration.
      let result: OpenedStore
      private let version: OldVersion
      private let folder: URL
      /// The file of the store before the migration.
      private let old: URL

      /// - Parameters:
      ///   - objects: The value of “--rows” of “decant generate”.
      ///   - store: A genuine store of that version, which is only read; nil for a generated store.
      init(_ version: OldVersion, objects: Int = 300, store: URL? = nil) throws {
        self.version = version
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("rehearsal-\\(UUID().uuidString)")
        let (folder, models) = (folder, Self.models)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        old = store ?? folder.appendingPathComponent("old.sqlite")
        let (old, new) = (old, folder.appendingPathComponent("new.sqlite"))
        do {
          if store == nil {
            try Self.decant(
              "generate", models.appendingPathComponent(version.model).path, "--rows", "\\(objects)", "--output",
              old.path, "--quiet")
          }
          try Self.decant(
            "migrate", old.path, "--models", models.path, "--family", version.family, "--to", version.target,
            "--output", new.path, "--worker", Self.worker.path, "--keep-associations", "--quiet")
          source = try OpenedStore(old, model: models.appendingPathComponent(version.model))
          result = try OpenedStore(new, model: models.appendingPathComponent(version.targetModel))
        } catch {
          try? FileManager.default.removeItem(at: folder)
          throw error
        }
      }

      deinit { try? FileManager.default.removeItem(at: folder) }

      /// Compares both stores object by object: “decant verify”.
      func verify() throws {
        try Self.decant(
          "verify", old.path, folder.appendingPathComponent("new.sqlite").path,
          "--models", Self.models.path, "--family", version.family, "--to", version.target, "--quiet")
      }

      /// Runs decant. If it fails, its output is the text of the error.
      private static func decant(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [ProcessInfo.processInfo.environment["DECANT"] ?? "decant"] + arguments
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus != 127 else {
          throw Failure(description: "There is no decant in PATH. Name it in the environment variable DECANT.")
        }
        guard process.terminationStatus == 0 else {
          throw Failure(description: "decant \\(arguments[0]): \\(String(decoding: output, as: UTF8.self))")
        }
      }

      struct Failure: Error, CustomStringConvertible { let description: String }


    """

  private static func paths(_ name: WorkerName) -> String {
    """
      /// The package's folder “models”.
      static let models = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("models")

      /// The worker that was built with these tests.
      private static let worker = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent(\(SwiftName.literal(name.package)))
    }

    """
  }

  private static let tail = """

    /// A file or folder of the catalogue, and its copy in the folder “models”.
    struct CatalogueCopy: Sendable {
      let original: String
      let copy: String

      private var places: (original: URL, copy: URL) {
        let package = Rehearsal.models.deletingLastPathComponent()
        return (
          URL(fileURLWithPath: original, relativeTo: package).resolvingSymlinksInPath(),
          Rehearsal.models.appendingPathComponent(copy)
        )
      }

      var isThere: Bool { FileManager.default.fileExists(atPath: places.original.path) }

      /// The paths of the files that are changed, new or missing in the catalogue.
      var differences: [String] {
        let (original, copy) = places
        let hidden = Self.files(original).filter { $0.hasPrefix(".") }
        // Hidden files beside the models don't belong to the catalogue.
        let files = Set(Self.files(original).subtracting(hidden)).union(Self.files(copy))
        return files.sorted().filter { Self.content(original, $0) != Self.content(copy, $0) }
          .map { $0.isEmpty ? self.copy : "\\(self.copy)/\\($0)" }
      }

      /// The paths of the files in a folder; an empty path for a file.
      private static func files(_ place: URL) -> Set<String> {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder) else { return [] }
        guard isFolder.boolValue else { return [""] }
        return Set((try? FileManager.default.subpathsOfDirectory(atPath: place.path)) ?? [])
      }

      /// The content of a file; nil if it is missing or a folder.
      private static func content(_ place: URL, _ path: String) -> Data? {
        FileManager.default.contents(atPath: path.isEmpty ? place.path : place.path + "/" + path)
      }
    }

    /// A store that is open for reading.
    struct OpenedStore {
      let model: NSManagedObjectModel
      let context: NSManagedObjectContext

      /// Opens a store. Its version hashes must be those of the model.
      init(_ store: URL, model path: URL) throws {
        model = try #require(NSManagedObjectModel(contentsOf: path))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .sqlite, at: store)
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
      }

      /// The objects of an entity, without those of its subentities.
      func objects(_ entity: String) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.includesSubentities = false
        return try context.fetch(request)
      }

      func allObjects() throws -> [NSManagedObject] {
        try model.entities.compactMap(\\.name).flatMap(objects)
      }
    }

    """
}
