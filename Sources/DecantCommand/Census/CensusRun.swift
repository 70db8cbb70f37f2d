internal import DecantConsole
internal import DecantMigration
internal import DecantModel
internal import DecantReport
internal import Foundation

/// `decant plan FOLDER`: plans every store below a folder, one after the other.
enum CensusRun {
  static func isFolder(_ path: String) throws(CommandFailure) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { throw InputFile.missing(path, what: "file") }
    return status.st_mode & S_IFMT == S_IFDIR
  }

  static func run(
    _ arguments: Arguments, _ console: Console,
    plan: (String) throws(CommandFailure) -> Result<MigrationPlan, MigrationFailure>
  ) throws(CommandFailure) -> Int32 {
    try InputFile.checkFolder(arguments.value("models") ?? "", what: "catalogue")
    try InputFile.checkFolder(arguments[0], what: "folder")
    let isVerbose = arguments.has("verbose")
    var census = Census(folder: arguments[0], keepsPaths: isVerbose)
    try StopSignals.watching { () throws(CommandFailure) in
      var line = TalkLine(console, isQuiet: false)
      defer { line.end() }
      var failure: CommandFailure?
      StoreWalk().run(in: arguments[0]) { find in
        switch find {
        case .other: census.noteOther()
        case .unreadable(let path, let reason): census.noteUnreadable(path, reason)
        case .store(let path, let bytes):
          do throws(CommandFailure) {
            switch try plan(path) {
            case .success(let plan): census.note(path, bytes: bytes, plan)
            case .failure(let failure): census.note(path, bytes: bytes, failure)
            }
          } catch {
            failure = error
            return false
          }
        }
        line.show("\(counted(census.stores, "store")) so far")
        return !StopSignals.isAsked
      }
      if let failure { throw failure }
      if StopSignals.isAsked {
        throw CommandFailure(
          .stopped, "Stopped after \(counted(census.stores, "store")).",
          advice: "Run the command again to plan all stores.")
      }
    }
    console.print(
      arguments.has("json")
        ? census.json.lines : CensusText(census: census, width: min(console.output.width, 100)).lines)
    return census.isWell ? ExitCode.success : ExitCode.badData
  }
}
