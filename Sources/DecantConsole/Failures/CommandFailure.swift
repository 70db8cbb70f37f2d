internal import DecantMigration
package import DecantModel
package import DecantReport
package import DecantStore
internal import Foundation

/// The failure of a command: an exit code and a message.
package struct CommandFailure: Error, Hashable {
  package let exitCode: Int32
  /// The reason; for a failed migration the same as in `reason.json`.
  package let reason: FailureReason
  /// Core Data's error code, if there is one.
  package let coreDataCode: Int?
  /// What went wrong, with the file, entity and property that it concerns.
  package let message: String
  /// Lines below the message, if there are several findings.
  package let details: [String]
  /// What the user can do; empty if nothing is known.
  package let advice: String

  /// - Parameter exitCode: `nil` for the reason's first exit code, or for 70 if the reason has none.
  package init(
    _ reason: FailureReason, _ message: String, exitCode: Int32? = nil, details: [String] = [],
    advice: String = "", coreDataCode: Int? = nil
  ) {
    self.exitCode = exitCode ?? reason.exitCodes.first ?? ExitCode.fault
    self.reason = reason
    self.coreDataCode = coreDataCode
    self.message = message
    self.details = details
    self.advice = advice
  }

  package init(_ failure: MigrationFailure) {
    self.init(
      failure.reason, failure.message, exitCode: failure.exitCode, details: failure.lines,
      advice: failure.advice, coreDataCode: failure.coreDataCode)
  }

  package init(_ failure: DiskFailure) { self.init(StoreError.disk(failure)) }

  package init(_ error: StoreError) {
    let system =
      if case .files(_, _, let errno, _) = error { Self.reason(errno: errno) } else { nil as FailureReason? }
    self.init(
      MigrationFailure.reason(error), error.description, exitCode: system?.exitCodes.first,
      advice: error.advice,
      coreDataCode: error.mayGetBetter ? nil : MigrationFailure.code(error))
  }

  /// - Parameter model: The model as the user named it.
  package init(_ error: LayoutError, model: String) {
    guard case .unsettled(let names) = error else {
      self.init(.unsettledLayout, "\(model): \(error).")
      return
    }
    self.init(
      .unsettledLayout, "\(model): it isn't known for certain how Core Data stores this:",
      details: names.map(\.description),
      advice: names.allSatisfy(\.canBeSettled)
        ? "A genuine store of this model version settles names of tables and columns: --reference STORE."
        : "Not even a genuine store settles that. So a store of this version can't be read or written.")
  }

  package init(_ error: ModelError) {
    var inner = error
    while case .inFile(_, let next) = inner { inner = next }
    self.init(inner == .noSuchFile ? .noSuchFile : .badModel, "\(error).")
  }

  /// The failure of a system call for a path.
  ///
  /// If nothing can be at that path, the reason is `noSuchFile` for input and `cantCreate` otherwise. Examples are a
  /// part of the path that doesn't exist or has the wrong kind, and a name that is too long.
  ///
  /// - Parameter action: The participle after “can't be”, such as `created`.
  package init(errno code: Int32, _ path: String, _ action: String, isInput: Bool = false) {
    let isNoPlace = [ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP, EINVAL, EOPNOTSUPP].contains(code)
    self.init(
      isNoPlace ? (isInput ? .noSuchFile : .cantCreate) : Self.reason(errno: code),
      "\(path) can't be \(action): \(String(cString: strerror(code))).",
      advice: code == ENOSPC || code == EDQUOT ? "Free space on the disk, then try again." : "")
  }

  private static func reason(errno code: Int32) -> FailureReason {
    switch code {
    case ENOENT, ENOTDIR: .noSuchFile
    case EACCES, EPERM, EROFS: .permission
    default: .files
    }
  }

  /// The output of `--json` in place of a result.
  package var json: JSON {
    .object([
      "error": .object([
        "reason": .string(reason.word), "message": .string(message), "details": .strings(details),
        "advice": .string(advice), "coreDataCode": coreDataCode.map(JSON.integer) ?? .null,
      ])
    ])
  }

  package func tell(on console: Console) {
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
