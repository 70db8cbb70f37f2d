internal import DecantConsole
internal import DecantReport
internal import FileNames
internal import Foundation

/// Follows a drop through the spool's folders, for a user who may not use the daemon's socket.
///
/// Such a user can read the notice beside the drop, and usually the report of the drop's result.
struct SpoolFollower: DropFollowing {
  /// The seconds between two looks into the folders.
  private static let pace = 0.25

  let spool: String
  /// The names in `done/` that existed before the drop.
  private var done: Set<String> = []
  /// The names in `failed/` that existed before the drop.
  private var failed: Set<String> = []

  init(spool: String) {
    self.spool = spool
    lookAgain()
  }

  mutating func lookAgain() {
    done.formUnion(DropOutcome.names(in: "\(spool)/done"))
    failed.formUnion(DropOutcome.names(in: "\(spool)/failed"))
  }

  func outcome(of drop: String, show: (String) -> Void) throws(CommandFailure) -> DropOutcome? {
    let printed = PrintedName.of(drop)
    while !StopSignals.isAsked {
      if let outcome = try outcome(of: drop, printed) { return outcome }
      if StoreFiles.exists("\(spool)/incoming/\(drop)") {
        if let text = notice(of: drop) {
          throw CommandFailure(.badData, text, advice: "The drop stays in incoming until that is fixed.")
        }
        show("“\(printed)” waits in incoming")
      } else {
        show("the daemon has taken “\(printed)”")
      }
      StopSignals.wait(seconds: Self.pace)
    }
    return nil
  }

  private func outcome(of drop: String, _ printed: String) throws(CommandFailure) -> DropOutcome? {
    for name in DropOutcome.names(in: "\(spool)/done") where !done.contains(name) {
      guard name == drop || name.hasPrefix("\(drop)~") else { continue }
      let folder = "\(spool)/done/\(name)"
      if let paper = JobPaper("\(folder)/report.json") {
        if paper.drop == printed { return DropOutcome(paper, isDone: true, folder: folder) }
      } else if name == drop, access("\(folder)/report.json", R_OK) != 0, errno == EACCES {
        throw CommandFailure(
          .permission, "“\(printed)” is done, but you may not read the result in \(folder).",
          advice:
            "Ask an administrator: the daemon's settings resultOwner, resultGroup and resultMode decide who may."
        )
      }
    }
    for job in DropOutcome.names(in: "\(spool)/failed") where !failed.contains(job) {
      let folder = "\(spool)/failed/\(job)"
      guard let paper = JobPaper("\(folder)/reason.json"), paper.drop == printed else { continue }
      return DropOutcome(paper, isDone: false, folder: folder)
    }
    return nil
  }

  /// The text of the drop's notice; `nil` without one, or if its name was shortened.
  private func notice(of drop: String) -> String? {
    let name = FileName(drop).description
    guard let data = FileManager.default.contents(atPath: "\(spool)/incoming/\(name).not-taken.txt") else {
      return nil
    }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    // The last line says that the daemon removes the notice, so this line is left out.
    return lines.dropLast().joined(separator: " ")
  }
}
