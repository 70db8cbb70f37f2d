/// The exit codes of sysexits.h that `decant` uses.
package enum ExitCode {
  package static let success: Int32 = 0
  /// The command was used wrongly.
  package static let usage: Int32 = 64
  /// A store or model is refused, or two stores differ.
  package static let badData: Int32 = 65
  /// An input file or folder, or a job, doesn't exist.
  package static let noInput: Int32 = 66
  /// The daemon isn't running.
  package static let unavailable: Int32 = 69
  /// A fault in Decant.
  package static let fault: Int32 = 70
  /// The output can't be created.
  package static let cantCreate: Int32 = 73
  /// Reading or writing failed.
  package static let inputOutput: Int32 = 74
  /// The command was stopped, or its work isn't possible now; a later attempt may succeed.
  package static let tryAgain: Int32 = 75
  package static let permission: Int32 = 77
  /// The catalogue, the daemon's configuration or a worker is faulty.
  package static let configuration: Int32 = 78
}
