// Makes an empty store of every version of a compiled model with Apple's Core Data, on a Mac.
//
//   swift reference-stores.swift MODEL.momd FOLDER [--version NAME]…
//
// The stores are called VERSION.sqlite. They are what Decant calls reference stores: their tables show the names that no
// known rule gives. Put them into the family's folder “reference”, or give that folder as FOLDER. --version makes the
// store of only this version, and may be repeated. If two versions have equal entity hashes, one store serves both. An
// existing file doesn't change. Exit code 0: every store is there, 1: something failed, 64: wrong usage.
//
// Needs macOS 11 or later and Xcode's command line tools; nothing else.

import Foundation

/// The command line.
struct Arguments {
  var model = ""
  var folder = ""
  var versions: [String] = []

  static let usage = "usage: swift reference-stores.swift MODEL.momd FOLDER [--version NAME]…"

  /// `nil` if the words aren't a valid command line.
  init?(_ words: [String]) {
    var paths: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--version" {
        guard let name = rest.popFirst() else { return nil }
        versions.append(name)
      } else {
        guard !word.hasPrefix("--") else { return nil }
        paths.append(word)
      }
    }
    guard paths.count == 2 else { return nil }
    model = paths[0]
    folder = paths[1]
  }
}

/// An error whose text says what went wrong.
struct Failure: Error {
  let text: String
}

/// The files of a model's versions in name order.
///
/// - Throws: `Failure` if the file isn't a compiled model, or if it lacks a named version.
func versionFiles(_ arguments: Arguments) throws -> [URL] {
  let url = URL(fileURLWithPath: arguments.model)
  let output = NSTemporaryDirectory() + url.deletingPathExtension().lastPathComponent
  switch url.pathExtension {
  case "momd": break
  case "mom":
    guard arguments.versions.isEmpty else {
      throw Failure(text: "\(url.path) is one version; leave --version out.")
    }
    return [url]
  case "xcdatamodeld": throw Failure(text: "Compile the model first: xcrun momc '\(url.path)' '\(output).momd'")
  case "xcdatamodel": throw Failure(text: "Compile the model first: xcrun momc '\(url.path)' '\(output).mom'")
  default: throw Failure(text: "\(url.path) isn't a compiled model (.momd or .mom).")
  }
  let files = try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
    .filter { $0.pathExtension == "mom" }
    .sorted { $0.lastPathComponent < $1.lastPathComponent }
  guard !files.isEmpty else { throw Failure(text: "\(url.path) holds no .mom.") }
  for name in arguments.versions where !files.contains(where: { versionName($0) == name }) {
    let names = files.map { "“\(versionName($0))”" }.joined(separator: ", ")
    throw Failure(text: "\(url.path) has no version “\(name)”. It has \(names).")
  }
  return files.filter { arguments.versions.isEmpty || arguments.versions.contains(versionName($0)) }
}

func versionName(_ file: URL) -> String { file.deletingPathExtension().lastPathComponent }

#if canImport(CoreData)
  import CoreData

  func describe(_ error: Error) -> String {
    let error = error as NSError
    return "\(error.localizedDescription) (\(error.domain) \(error.code))"
  }

  /// Makes an empty store in one file, and checks that it belongs to the model.
  func makeStore(of model: NSManagedObjectModel, at url: URL) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    // Without a write-ahead log everything is in the file itself.
    let options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    try coordinator.remove(store)
    try checkStore(at: url, of: model)
  }

  func checkStore(at url: URL, of model: NSManagedObjectModel) throws {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: url, options: nil)
    guard model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) else {
      throw Failure(text: "\(url.path) is there already, and it is a store of another version.")
    }
  }

  func makeStores(_ arguments: Arguments) throws -> Int32 {
    let folder = URL(fileURLWithPath: arguments.folder)
    let files = try versionFiles(arguments)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var made: [(hashes: [String: Data], name: String)] = []
    var failures = 0
    for file in files {
      let name = versionName(file)
      do {
        guard let model = NSManagedObjectModel(contentsOf: file) else {
          throw Failure(text: "\(file.path) can't be read as a compiled model.")
        }
        let hashes = model.entityVersionHashesByName
        if let equal = made.first(where: { $0.hashes == hashes }) {
          print("\(name): has the entity hashes of “\(equal.name)”, whose store serves both.")
          continue
        }
        let store = folder.appendingPathComponent(name + ".sqlite")
        let isThere = FileManager.default.fileExists(atPath: store.path)
        if isThere { try checkStore(at: store, of: model) } else { try makeStore(of: model, at: store) }
        made.append((hashes, name))
        print("\(name): \(store.path)" + (isThere ? " was there already." : ""))
      } catch let failure as Failure {
        failures += 1
        print("\(name): FAIL: \(failure.text)")
      } catch {
        failures += 1
        print("\(name): FAIL: \(describe(error))")
      }
    }
    return failures == 0 ? 0 : 1
  }
#else
  func describe(_ error: Error) -> String { "\(error)" }

  func makeStores(_ arguments: Arguments) throws -> Int32 {
    _ = try versionFiles(arguments)
    throw Failure(text: "Core Data is not here: this has to run on a Mac.")
  }
#endif

func run() -> Int32 {
  guard let arguments = Arguments(Array(CommandLine.arguments.dropFirst())) else {
    print(Arguments.usage)
    return 64
  }
  do {
    return try makeStores(arguments)
  } catch let failure as Failure {
    print("FAIL: \(failure.text)")
  } catch {
    print("FAIL: \(describe(error))")
  }
  return 1
}

exit(run())
