/// Why a predicate or an expression has no archived form.
public enum ArchivingError: Error, Hashable, CustomStringConvertible {
  /// No genuine archive shows the archived form.
  case unknownForm(String)

  public var description: String {
    switch self {
    case .unknownForm(let what): "the archived form of \(what) isn't known"
    }
  }
}
