internal import DecantConsole
internal import FileNames
internal import Foundation

/// The folder of a new package, which appears complete or not at all.
struct WorkerFolder {
  /// The folder as the user named it.
  let path: String
  /// The absolute path.
  private let place: URL
  /// The hidden folder beside `place`, in which the package is made.
  let stage: URL

  /// Checks the place, and creates the hidden folder.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    place = URL(fileURLWithPath: path).standardizedFileURL
    var status = stat()
    if lstat(place.path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw CommandFailure(
          .cantCreate, "\(path) exists already and isn't a folder.", advice: "Name another folder.")
      }
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: place.path) else {
        throw InputFile.forbidden(path)
      }
      guard names.isEmpty else {
        throw CommandFailure(
          .cantCreate, "\(path) exists already and isn't empty.", advice: "Name a new folder.")
      }
    }
    let parent = place.deletingLastPathComponent()
    guard access(parent.path, F_OK) == 0 else {
      throw CommandFailure(
        .cantCreate, "\(path) can't be created: there is no folder \(parent.path).", advice: "Create it first.")
    }
    let name = ".\(place.lastPathComponent.prefix(40)).decant-\(UUID().uuidString.prefix(8))"
    stage = parent.appendingPathComponent(name)
    guard mkdir(stage.path, 0o755) == 0 else { throw CommandFailure(errno: errno, path, "created") }
  }

  func write(_ text: String, to name: String) throws(CommandFailure) {
    let file = stage.appendingPathComponent(name)
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    } catch {
      throw CommandFailure(.cantCreate, "\(path)/\(name) can't be written: \(error.localizedDescription)")
    }
  }

  /// Renames the hidden folder to the package's folder; an empty folder there is replaced.
  func finish() throws(CommandFailure) {
    guard rename(stage.path, place.path) == 0 else { throw CommandFailure(errno: errno, path, "created") }
  }

  func discard() { try? FileManager.default.removeItem(at: stage) }
}
