/// What whoever runs a migration should do after it failed.
public enum FailureDisposition: String, Sendable, Codable {
  /// The store can't be migrated: `failed/`, exit code 65.
  case refuse
  /// The catalogue is at fault: the family's jobs wait until it is mended, exit code 78.
  case catalogue
  /// It may get better by itself or by an administrator's hand (disk full, no permission): try again, exit code 75; 74
  /// where the disk itself has failed.
  case retry
  /// Stopped on request; a later run goes on where this one ended, exit code 75.
  case stopped
  /// A fault of Decant's own: `failed/` after a second attempt, exit code 70.
  case fault
}
