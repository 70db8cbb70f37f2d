internal import DecantModel
internal import Foundation

/// A model as it is named on the command line: an `.xcdatamodel`, `BUNDLE#VERSION`, or a bundle's current version.
struct ModelArgument {
  static func argument(_ name: String = "MODEL") -> Command.Argument {
    Command.Argument(
      name: name, kind: .model,
      help:
        "An .xcdatamodel or .mom, or BUNDLE#VERSION of an .xcdatamodeld or .momd; without #VERSION its current "
        + "version.")
  }

  /// The argument as it was given.
  let text: String
  let version: ModelBundle.Version
  /// Every version of the bundle.
  let siblings: [ManagedObjectModel]
  var model: ManagedObjectModel { version.model }

  /// Reads the model and tells its warnings.
  init(_ text: String, _ console: Console) throws(CommandFailure) {
    self.text = text
    let (path, name) = Self.split(text)
    let file = path + "/contents"
    for readable in [path, file] where access(readable, F_OK) == 0 && access(readable, R_OK) != 0 {
      throw InputFile.forbidden(readable)
    }
    do {
      let bundle = try ModelBundle.read(at: URL(fileURLWithPath: path))
      siblings = bundle.versions.map(\.model)
      if let name {
        guard let found = try? bundle.version(named: name) else {
          throw CommandFailure(
            ExitCode.usage, "\(path) has no version “\(name)”.",
            advice: Self.list(bundle.versions.map(\.name), near: name))
        }
        version = found
      } else {
        do { version = try bundle.currentVersion() } catch { throw ModelError.inFile(path: path, error) }
      }
    } catch let error as ModelError {
      throw CommandFailure(error)
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(ExitCode.fault, "\(path) can't be read: \(error).")
    }
    for warning in version.warnings { console.say("decant: \(PlainText.of("\(version.path): \(warning)"))") }
  }

  /// The versions that there are; of many, those that look like what was asked for.
  private static func list(_ names: [String], near name: String) -> String {
    let alike = names.filter { $0.localizedCaseInsensitiveContains(name) }
    let shown = names.count <= 12 ? names : alike.isEmpty ? names.suffix(6) : alike.prefix(12).map { $0 }
    let text = shown.map { "“\($0)”" }.joined(separator: ", ")
    return shown.count == names.count ? "It has: \(text)." : "It has \(names.count), such as \(text)."
  }

  /// The path and what stands behind the last `#`; a path that exists as it is has no version.
  private static func split(_ text: String) -> (path: String, version: String?) {
    guard access(text, F_OK) != 0, let mark = text.lastIndex(of: "#") else { return (text, nil) }
    return (String(text[..<mark]), String(text[text.index(after: mark)...]))
  }
}
