/// What is wrong with the file of a mapping model.
public enum MappingModelError: Error, Hashable, CustomStringConvertible {
  case unreadable(path: String)
  case malformed(path: String, reason: String)
  case unknownForm(path: String)

  public var description: String {
    switch self {
    case .unreadable(let path): "\(path) can't be read; check that it is there and its permissions"
    case .malformed(let path, let reason): "\(path) is not a mapping model that can be read: \(reason)"
    case .unknownForm(let path):
      "\(path) is not a mapping model; give an .xcmappingmodel, a .cdm or a .mapping.json5"
    }
  }
}
