/// The exit codes of sysexits.h that `decant` uses.
package enum ExitCode {
  package static let success: Int32 = 0
  /// The command was used wrongly.
  package static let usage: Int32 = 64
  /// A bad store or model, or two stores that differ.
  package static let badData: Int32 = 65
  /// An input file doesn't exist.
  package static let noInput: Int32 = 66
  /// The daemon isn't running.
  package static let unavailable: Int32 = 69
  /// A fault in Decant.
  package static let fault: Int32 = 70
  /// The output can't be created.
  package static let cantCreate: Int32 = 73
  /// Reading or writing failed.
  package static let inputOutput: Int32 = 74
  /// A later attempt may succeed; schedulers retry only on this code.
  package static let tryAgain: Int32 = 75
  package static let permission: Int32 = 77
  /// The catalogue is faulty.
  package static let configuration: Int32 = 78
}
