internal import DecantConsole
internal import FileAccess
internal import Foundation

extension DaemonPlace {
  /// Asks the daemon, and says what to do if the user may not.
  func asking<Answer>(_ question: () throws(CommandFailure) -> Answer) throws(CommandFailure) -> Answer {
    do throws(CommandFailure) {
      return try question()
    } catch {
      guard error.reason == .permission else { throw error }
      throw closed
    }
  }

  /// The failure for a user who may drop stores and nothing more, or not even that.
  private var closed: CommandFailure {
    let members = socketGroup.map { " Members of the group “\($0)” and root may." } ?? ""
    guard access(spool + "/incoming", W_OK | X_OK) == 0 else {
      return CommandFailure(
        .permission, "You may not use the socket “\(socket)”.\(members)",
        advice: "Ask an administrator to add you to that group.")
    }
    return CommandFailure(
      .permission, "You may drop stores, but not use the socket “\(socket)”.\(members)",
      advice: "You see your drops without it: the result comes to “\(spool)/done”, a refused store to "
        + "“\(spool)/failed”, and beside a drop in “\(spool)/incoming” that can't be taken lies a text that says why. "
        + "“decant submit STORE --wait” waits for one of them.")
  }

  /// The group of the socket; where its folder is closed, that of the folder.
  private var socketGroup: String? {
    var status = stat()
    guard stat(socket, &status) == 0 || stat((socket as NSString).deletingLastPathComponent, &status) == 0
    else { return nil }
    return GroupName.of(status.st_gid)
  }
}
