/// What to do after a migration has failed.
///
/// The exit codes are those of `decant` for most reasons of the disposition.
public enum FailureDisposition: String, Sendable, Codable {
  /// The store can't be migrated: `failed/`, exit code 65.
  case refuse
  /// The catalogue has a fault: the family's jobs wait until it is fixed, exit code 78.
  case catalogue
  /// The problem may disappear, or an administrator may solve it, for example a full disk: exit code 75.
  case retry
  /// Stopped on request. A later run resumes the work, exit code 75.
  case stopped
  /// A fault of Decant: `failed/` after a second attempt, exit code 70.
  case fault

  /// The corresponding exit code of sysexits.h.
  var exitCode: Int32 {
    switch self {
    case .refuse: 65
    case .catalogue: 78
    case .retry, .stopped: 75
    case .fault: 70
    }
  }
}
