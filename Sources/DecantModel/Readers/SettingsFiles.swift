package import Foundation

/// The settings of a configuration file and of its drop-ins.
///
/// Drop-ins are the files in the folder that has the file's name with `.d` at the end, such as
/// `/etc/decant/decantd.json5.d`. They are read in the order of their names' bytes. If several files have the same
/// setting, the last value counts. Names that begin with a dot or don't end in `.json5` are left out, because editors
/// and package managers leave copies with such names.
package struct SettingsFiles: Sendable, Hashable {
  /// A value, and the file that has it.
  package struct Setting: Sendable, Hashable {
    package let value: JSON5Value
    package let file: String
  }

  /// Why the settings can't be read.
  package enum Failure: Error, Sendable, Hashable {
    case missing(file: String)
    /// - Parameter problem: The problem of the file, or the errno of listing the folder.
    case unreadable(file: String, problem: FileProblem)
    case syntax(file: String, reason: String)
  }

  /// The daemon's configuration, unless an option names another.
  package static let daemonFile = "/etc/decant/decantd.json5"

  private static let sizeLimit = 1 << 20

  package let file: String
  /// All files that were read, in order.
  package private(set) var files: [String] = []
  package private(set) var settings: [String: Setting] = [:]

  /// The folder in which relative paths begin, in each of the files.
  package var base: String { (file as NSString).deletingLastPathComponent }

  /// Reads a file and its drop-ins.
  ///
  /// - Parameter file: An absolute path.
  package init(file: String) throws(Failure) {
    self.file = file
    try read(file) { problem in
      [.system(ENOENT), .system(ENOTDIR)].contains(problem) ? .missing(file: file) : nil
    }
    let folder = file + ".d"
    guard let names = DiskRead.names(in: folder) else {
      guard errno != ENOENT else { return }
      throw .unreadable(file: folder, problem: .system(errno))
    }
    let wanted = names.filter { !$0.hasPrefix(".") && $0.hasSuffix(".json5") }
    for name in wanted.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      try read(folder + "/" + name) { _ in nil }
    }
  }

  /// Takes a file's content without reading files.
  package init(_ data: Data, file: String) throws(Failure) {
    self.file = file
    try take(data, from: file)
  }

  private mutating func read(_ path: String, _ failure: (FileProblem) -> Failure?) throws(Failure) {
    let data: Data
    do throws(FileProblem) {
      data = try DiskRead.contents(of: path, limit: Self.sizeLimit)
    } catch {
      throw failure(error) ?? .unreadable(file: path, problem: error)
    }
    try take(data, from: path)
  }

  private mutating func take(_ data: Data, from file: String) throws(Failure) {
    do throws(JSON5Problem) {
      guard let object = try JSON5Value.parse(data).object else {
        throw JSON5Problem("it has to be one object { … }")
      }
      for (name, value) in object { settings[name] = Setting(value: value, file: file) }
    } catch {
      throw .syntax(file: file, reason: error.description)
    }
    files.append(file)
  }
}
