/// What is wrong with the file of a mapping model.
public enum MappingModelError: Error, Hashable, CustomStringConvertible {
  case unreadable(path: String)
  /// - Parameter excerpt: The line of a text with a mark below the place, where the reason is about one.
  case malformed(path: String, reason: String, excerpt: String? = nil)
  case unknownForm(path: String)
  /// The file leaves rows to the rules, and there are no models to apply them to.
  case noModels(path: String)

  public var description: String { ([sentence] + excerpt).joined(separator: "\n") }

  /// The lines that belong below the sentence, where a medium has lines.
  public var excerpt: [String] {
    guard case .malformed(_, _, let excerpt?) = self else { return [] }
    return excerpt.split(separator: "\n").map(String.init)
  }

  /// All that fits into one line, place included.
  public var sentence: String {
    switch self {
    case .unreadable(let path): "\(path) can't be read; check that it is there and its permissions"
    case .malformed(let path, let reason, _): "\(path) is not a mapping model that can be read: \(reason)"
    case .unknownForm(let path):
      "\(path) is not a mapping model; give an .xcmappingmodel, a .cdm or a .mapping.json5"
    case .noModels(let path):
      "\(path) leaves properties to the rules, and holds no copies of the two models that can be read; put it into "
        + "the folder of its family and give the catalogue"
    }
  }
}
