internal import DecantModel

package enum ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  case missing(file: String)
  case unreadable(file: String, reason: String)
  case syntax(file: String, reason: String)
  case unknownKey(file: String, key: String, nearest: String?)
  case wrongValue(file: String, key: String, value: String, expected: String)

  package var description: String {
    switch self {
    case .missing(let file):
      "There is no configuration file “\(file)”. Name one with --config FILE."
    case .unreadable(let file, let reason): "\(file): \(reason)"
    case .syntax(let file, let reason): "\(file) isn't JSON5: \(reason)"
    case .unknownKey(let file, let key, let nearest):
      "\(file): there is no setting “\(key)”.\(nearest.map { " Did you mean “\($0)”?" } ?? "") "
        + "decantd --print-config lists all settings."
    case .wrongValue(let file, let key, let value, let expected):
      "\(file): “\(key)” is \(value), but has to be \(expected)."
    }
  }

  /// The exit code from sysexits.h.
  package var exitCode: Int32 {
    switch self {
    case .missing: 66
    case .unreadable: 77
    case .syntax, .unknownKey, .wrongValue: 78
    }
  }

  static func translating<Result>(
    _ body: () throws(SettingsFiles.Failure) -> Result
  ) throws(ConfigurationError) -> Result {
    do throws(SettingsFiles.Failure) {
      return try body()
    } catch {
      switch error {
      case .missing(let file): throw .missing(file: file)
      case .unreadable(let file, let problem): throw .unreadable(file: file, reason: problem.description)
      case .syntax(let file, let reason): throw .syntax(file: file, reason: reason)
      }
    }
  }
}
