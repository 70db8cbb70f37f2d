/// The exit codes of sysexits.h that `decant` uses.
public enum ExitCode {
  public static let success: Int32 = 0
  /// The command was used wrongly.
  public static let usage: Int32 = 64
  /// A bad store or model, or two stores that differ.
  public static let badData: Int32 = 65
  /// An input file doesn't exist.
  public static let noInput: Int32 = 66
  /// The daemon isn't running.
  public static let unavailable: Int32 = 69
  /// A fault in Decant.
  public static let fault: Int32 = 70
  /// The output can't be created.
  public static let cantCreate: Int32 = 73
  /// Reading or writing failed.
  public static let inputOutput: Int32 = 74
  /// A later attempt may succeed; schedulers retry only on this code.
  public static let tryAgain: Int32 = 75
  public static let permission: Int32 = 77
  /// The catalogue is faulty.
  public static let configuration: Int32 = 78
}
