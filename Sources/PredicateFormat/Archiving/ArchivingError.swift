/// Why a predicate or an expression has no archived form.
public enum ArchivingError: Error, Hashable, CustomStringConvertible {
  /// No genuine archive shows how this is kept.
  case unknownForm(String)

  public var description: String {
    switch self {
    case .unknownForm(let what): "how \(what) is archived isn't known"
    }
  }
}
