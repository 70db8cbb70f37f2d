internal import DecantReport
internal import DecantMigration
internal import DecantModel
internal import DecantStore
internal import Foundation

/// The failure of a command: an exit code and a message.
struct CommandFailure: Error, Hashable {
  let exitCode: Int32
  /// The engine's failures have the reason of `reason.json`.
  let reason: FailureReason
  /// Core Data's error code, if there is one.
  let coreDataCode: Int?
  /// One sentence with file, entity and property.
  let message: String
  /// Lines below the message, if there are several findings.
  let details: [String]
  /// What to do.
  let advice: String

  /// - Parameter reason: `nil` for that of the exit code.
  init(
    _ exitCode: Int32, _ message: String, details: [String] = [], advice: String = "",
    reason: FailureReason? = nil,
    coreDataCode: Int? = nil
  ) {
    self.exitCode = exitCode
    self.reason = reason ?? Self.reason(of: exitCode)
    self.coreDataCode = coreDataCode
    self.message = message
    self.details = details
    self.advice = advice
  }

  init(_ error: UsageError) { self.init(ExitCode.usage, error.description) }

  init(_ failure: MigrationFailure) {
    self.init(
      failure.exitCode, failure.message, details: failure.lines, advice: failure.advice, reason: failure.reason,
      coreDataCode: failure.coreDataCode)
  }

  init(_ failure: DiskFailure) { self.init(StoreError.disk(failure)) }

  init(_ error: StoreError) {
    let code =
      switch error {
      case .noSuchFile: ExitCode.noInput
      case .unreadable: ExitCode.inputOutput
      case .disk: ExitCode.inputOutput
      case .sqlite(let error) where error.diskFailure != nil: ExitCode.inputOutput
      case .files(_, _, let errno, _): Self.exitCode(errno: errno)
      case .sqlite(let error) where error.isNoRoom: ExitCode.inputOutput
      default: ExitCode.badData
      }
    self.init(
      code, error.description, advice: error.advice, reason: MigrationFailure.reason(error),
      coreDataCode: error.mayGetBetter ? nil : MigrationFailure.code(error))
  }

  /// - Parameter model: The model as the user named it.
  init(_ error: LayoutError, model: String) {
    guard case .unsettled(let names) = error else {
      self.init(ExitCode.badData, "\(model): \(error).", reason: .unsettledLayout)
      return
    }
    self.init(
      ExitCode.badData, "\(model): how Core Data stores this is not known for certain:",
      details: names.map(\.description),
      advice: names.allSatisfy(\.canBeSettled)
        ? "A genuine store of this model version settles names of tables and columns: --reference STORE."
        : "Not even a genuine store settles that, so a store of this version can't be read or written.",
      reason: .unsettledLayout)
  }

  init(_ error: ModelError) {
    var inner = error
    while case .inFile(_, let next) = inner { inner = next }
    let isMissing = inner == .noSuchFile
    self.init(
      isMissing ? ExitCode.noInput : ExitCode.badData, "\(error).",
      reason: isMissing ? .noSuchFile : .badModel)
  }

  /// The failure of a system call that creates or writes a file.
  init(errno code: Int32, _ path: String, _ action: String) {
    let isNoPlace = [ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP, EINVAL, EOPNOTSUPP].contains(code)
    self.init(
      isNoPlace ? ExitCode.cantCreate : Self.exitCode(errno: code),
      "\(path) can't be \(action): \(String(cString: strerror(code))).",
      advice: code == ENOSPC || code == EDQUOT ? "Make room on the disk, then try again." : "")
  }

  private static func exitCode(errno code: Int32) -> Int32 {
    switch code {
    case ENOENT, ENOTDIR: ExitCode.noInput
    case EACCES, EPERM, EROFS: ExitCode.permission
    default: ExitCode.inputOutput
    }
  }

  private static func reason(of exitCode: Int32) -> FailureReason {
    switch exitCode {
    case ExitCode.usage: .usage
    case ExitCode.badData: .badData
    case ExitCode.noInput: .noSuchFile
    case ExitCode.cantCreate: .cantCreate
    case ExitCode.inputOutput: .files
    case ExitCode.tryAgain: .stopped
    case ExitCode.permission: .permission
    case ExitCode.configuration: .catalogueUnreadable
    default: .fault
    }
  }

  /// The output of `--json` in place of a result.
  var json: JSON {
    .object([
      "error": .object([
        "reason": .string(reason.word), "message": .string(message), "details": .strings(details),
        "advice": .string(advice), "coreDataCode": coreDataCode.map(JSON.integer) ?? .null,
      ])
    ])
  }

  /// Prints it on standard error.
  func tell(on console: Console) {
    let sentence = "decant: \(PlainText.of(message))"
    guard !details.isEmpty else {
      console.say(advice.isEmpty ? sentence : "\(sentence) \(PlainText.of(advice))")
      return
    }
    console.say(sentence)
    for line in details { console.tell("  \(PlainText.of(line))\n") }
    if !advice.isEmpty { console.say(PlainText.of(advice)) }
  }
}
