/// A fault of a mapping model's file.
public enum MappingModelError: Error, Hashable, CustomStringConvertible {
  case unreadable(path: String)
  /// The reason also states the place, if it is known. `line` is the place's line alone.
  ///
  /// - Parameter excerpt: For a fault in an expression or predicate, the faulty line and a mark below the place.
  case malformed(path: String, reason: String, line: Int? = nil, excerpt: String? = nil)
  /// Several independent faults, in the order of their places.
  case several(path: String, [MappingModelError])
  case unknownForm(path: String)
  /// The file leaves out rows that rules fill in, but no models are available.
  case noModels(path: String)

  public var description: String {
    if case .several(let path, let errors) = self {
      return (["\(path) is not a readable mapping model:"] + Self.list(errors)).joined(separator: "\n")
    }
    return ([sentence] + excerpt).joined(separator: "\n")
  }

  /// The lines after the sentence, for output with several lines.
  public var excerpt: [String] {
    guard case .malformed(_, _, _, let excerpt?) = self else { return [] }
    return excerpt.split(separator: "\n").map(String.init)
  }

  /// The error in one line: the path, the place and the reason, without the excerpt.
  public var sentence: String {
    switch self {
    case .unreadable(let path): "\(path) can't be read; check that it exists, and its permissions"
    case .malformed(let path, let reason, _, _): "\(path) is not a readable mapping model: \(reason)"
    case .several(let path, let errors):
      "\(path) is not a readable mapping model: \(Self.list(errors).joined(separator: "; "))"
    case .unknownForm(let path):
      "\(path) is not a mapping model; name an .xcmappingmodel, a .cdm or a .mapping.json5"
    case .noModels(let path):
      "\(path) leaves out properties that rules fill in, and holds no readable copies of the two models; put it into "
        + "the folder of its family and name the catalogue"
    }
  }

  /// The largest number of faults that are shown.
  private static let shown = 20

  /// The file's path.
  public var path: String {
    switch self {
    case .unreadable(let path), .malformed(let path, _, _, _), .several(let path, _), .unknownForm(let path),
      .noModels(let path):
      path
    }
  }

  /// The single faults, or the error itself.
  public var parts: [MappingModelError] { if case .several(_, let errors) = self { errors } else { [self] } }

  /// The line of the file, from 1, if known.
  public var line: Int? { if case .malformed(_, _, let line, _) = self { line } else { nil } }

  /// The fault without the file's path if it is `malformed`, otherwise the whole sentence.
  public var reason: String { if case .malformed(_, let reason, _, _) = self { reason } else { sentence } }

  private static func list(_ errors: [MappingModelError]) -> [String] {
    errors.prefix(shown).map(\.reason) + (errors.count > shown ? ["and \(errors.count - shown) more"] : [])
  }
}
