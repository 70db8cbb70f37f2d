/// Why a catalogue as a whole can't be used.
public enum CatalogueError: Error, Hashable, CustomStringConvertible {
  /// The folder doesn't exist: exit code 66.
  case notFound(path: String)
  /// The path isn't a folder, or the folder can't be listed.
  case unreadable(path: String)

  public var description: String {
    switch self {
    case .notFound(let path):
      "There is no catalogue at \(path). Name the folder that holds one folder for each model family."
    case .unreadable(let path):
      "The catalogue \(path) can't be listed. It must be a folder that this user may read and enter."
    }
  }
}
