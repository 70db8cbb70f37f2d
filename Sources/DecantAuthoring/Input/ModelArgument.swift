package import DecantConsole
internal import DecantMapping
package import DecantModel
internal import DecantStore
internal import Foundation

/// A model on the command line.
///
/// The argument is an `.xcdatamodel` or `.mom`, `BUNDLE#VERSION`, a bundle, or a store that contains its model. A
/// bundle stands for its current version.
package struct ModelArgument {
  package static func argument(_ name: String = "MODEL") -> Command.Argument {
    Command.Argument(
      name: name, kind: .model,
      help:
        "An .xcdatamodel or .mom, a store that keeps its own model, or BUNDLE#VERSION of an .xcdatamodeld or .momd; "
        + "without #VERSION its current version.")
  }

  package let text: String
  package let version: ModelBundle.Version
  /// Every readable version of the bundle; for a store, only its own model.
  let siblings: [ManagedObjectModel]
  /// The store that contains the model; `nil` for a model file.
  package let store: OpenedStore?
  package var model: ManagedObjectModel { version.model }

  /// Reads the model, and prints warnings.
  package init(_ text: String, _ console: Console) throws(CommandFailure) {
    self.text = text
    let (path, name) = Self.split(text)
    if Self.isMappingModel(path) {
      throw CommandFailure(
        .badModel, "\(path) is a mapping model, not a model of a version.",
        advice: "“decant mapping” shows it. " + Self.instead)
    }
    if Self.isStore(path) {
      let opened = try Self.open(path)
      store = opened
      version = try Self.ownModel(of: opened.source, path: path, named: name)
      siblings = [version.model]
    } else {
      store = nil
      let bundle: ModelBundle
      (version, bundle) = try Self.read(path, named: name)
      siblings = bundle.versions.map(\.model)
      for other in bundle.leftOut {
        console.say(
          "decant: \(PlainText.of("another version is ignored, with its renaming identifiers: \(other.error)"))"
        )
      }
    }
    for warning in version.warnings { console.say("decant: \(PlainText.of("\(version.path): \(warning)"))") }
  }

  /// The folder that has the model or its bundle, as in the argument; `nil` for a store, and for the current folder.
  var folder: String? {
    guard store == nil else { return nil }
    var place = (Self.split(text).path as NSString).deletingLastPathComponent
    if ["xcdatamodeld", "momd"].contains((place as NSString).pathExtension) {
      place = (place as NSString).deletingLastPathComponent
    }
    return place.isEmpty || place == "." ? nil : place
  }

  // MARK: Model files

  private static func read(
    _ path: String, named name: String?
  ) throws(CommandFailure) -> (ModelBundle.Version, ModelBundle) {
    let file = path + "/contents"
    for readable in [path, file] where access(readable, F_OK) == 0 && access(readable, R_OK) != 0 {
      throw InputFile.forbidden(readable)
    }
    if let failure = folderFailure(path) { throw failure }
    do {
      let bundle = try ModelBundle.read(at: URL(fileURLWithPath: path), version: name)
      guard let name else {
        do { return (try bundle.currentVersion(), bundle) } catch { throw ModelError.inFile(path: path, error) }
      }
      guard let found = try? bundle.version(named: name) else {
        throw CommandFailure(
          .usage, "\(path) has no version “\(name)”.",
          advice: list(bundle.versions.map(\.name) + bundle.leftOut.map(\.name), near: name))
      }
      return (found, bundle)
    } catch let error as ModelError {
      throw CommandFailure(error)
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(.fault, "\(path) can't be read: \(error).")
    }
  }

  private static func folderFailure(_ path: String) -> CommandFailure? {
    let url = URL(fileURLWithPath: path)
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      !ModelBundle.extensions.contains(url.pathExtension)
    else { return nil }
    let inside = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
      ModelBundle.extensions.contains(URL(fileURLWithPath: $0).pathExtension)
    }.sorted()
    return CommandFailure(
      .badModel,
      "\(path) is a folder, not a model: its name doesn't end with .xcdatamodeld, .xcdatamodel or .momd.",
      advice: inside.isEmpty
        ? "Name a model. The name of a folder with a model's file “contents” must end with .xcdatamodel."
        : "Name a model in it: \(listed(inside.prefix(6).map { "\(path)/\($0)" })).")
  }

  private static func list(_ names: [String], near name: String) -> String {
    let alike = names.filter { $0.localizedCaseInsensitiveContains(name) }
    let shown = names.count <= 12 ? names : alike.isEmpty ? names.suffix(6) : alike.prefix(12).map { $0 }
    let text = listed(shown)
    return shown.count == names.count ? "It has: \(text)." : "It has \(names.count), such as \(text)."
  }

  /// If the whole text is a path that exists, a `#` in it belongs to the path.
  private static func split(_ text: String) -> (path: String, version: String?) {
    guard access(text, F_OK) != 0, let mark = text.lastIndex(of: "#") else { return (text, nil) }
    return (String(text[..<mark]), String(text[text.index(after: mark)...]))
  }

  // MARK: Stores

  private static func isMappingModel(_ path: String) -> Bool {
    access(path, F_OK) == 0 && MappingModelFile.endings.contains { path.hasSuffix($0) }
  }

  /// Whether the path is a regular file without a model's extension, because a store may have any name.
  private static func isStore(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    return !ModelBundle.extensions.contains(URL(fileURLWithPath: path).pathExtension)
  }

  private static func open(_ path: String) throws(CommandFailure) -> OpenedStore {
    do {
      return try OpenedStore(path, checksPages: false)
    } catch {
      guard error.exitCode == ExitCode.badData else { throw error }
      throw CommandFailure(.badData, error.message, details: error.details, advice: instead)
    }
  }

  private static let instead = "Name a model instead: an .xcdatamodel or .mom, or BUNDLE#VERSION."

  /// The model that a store contains (docs/formats/model-files.md 4.1).
  private static func ownModel(
    of store: SourceStore, path: String, named name: String?
  ) throws(CommandFailure) -> ModelBundle.Version {
    if let name {
      throw CommandFailure(
        .usage, "\(path) is a store, which has no versions.", advice: "Leave out “#\(name)”.")
    }
    let reading: ModelReading?
    do {
      reading = try store.cachedModel()
    } catch {
      let reason = if case .badModelCache(let reason) = error { reason } else { "\(error)" }
      throw CommandFailure(
        .badData, "\(path): the store's own model can't be used: \(reason).",
        advice: instead)
    }
    guard let reading else {
      throw CommandFailure(
        .badData, "\(path) is a store that doesn't keep its own model.", advice: instead)
    }
    return ModelBundle.Version(
      name: URL(fileURLWithPath: path).lastPathComponent, path: path, model: reading.model,
      warnings: reading.warnings)
  }
}
