/// What is wrong with the file of a mapping model.
public enum MappingModelError: Error, Hashable, CustomStringConvertible {
  case unreadable(path: String)
  case malformed(path: String, reason: String)
  case unknownForm(path: String)
  /// The file leaves rows to the rules, and there are no models to apply them to.
  case noModels(path: String)

  public var description: String {
    switch self {
    case .unreadable(let path): "\(path) can't be read; check that it is there and its permissions"
    case .malformed(let path, let reason): "\(path) is not a mapping model that can be read: \(reason)"
    case .unknownForm(let path):
      "\(path) is not a mapping model; give an .xcmappingmodel, a .cdm or a .mapping.json5"
    case .noModels(let path):
      "\(path) leaves properties to the rules, and holds no copies of the two models that can be read; put it into "
        + "the folder of its family and give the catalogue"
    }
  }
}
