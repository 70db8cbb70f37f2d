internal import DecantConsole
internal import FileAccess
internal import Foundation

extension DaemonPlace {
  /// Sends a request to the daemon; if the user may not use the socket, the failure says what to do.
  func asking<Answer>(_ question: () throws(CommandFailure) -> Answer) throws(CommandFailure) -> Answer {
    do throws(CommandFailure) {
      return try question()
    } catch {
      guard error.reason == .permission else { throw error }
      throw closed
    }
  }

  private var closed: CommandFailure {
    let group = socketGroup
    let members = group.map { " Members of the group “\($0)” and root may." } ?? ""
    guard access(spool + "/incoming", W_OK | X_OK) == 0 else {
      return CommandFailure(
        .permission, "You may not use the socket “\(socket)”.\(members)",
        advice: "Ask an administrator "
          + (group == nil ? "for access to the socket." : "to add you to that group."))
    }
    return CommandFailure(
      .permission, "You may drop stores, but not use the socket “\(socket)”.\(members)",
      advice: "You see your drops without it: a result is in “\(spool)/done”, and a refused store is in "
        + "“\(spool)/failed”. If a drop can't be taken, a text beside it in “\(spool)/incoming” says why. "
        + "“decant submit STORE --wait” waits for one of these.")
  }

  /// The group of the socket, or of its folder if the user can't enter the folder.
  private var socketGroup: String? {
    var status = stat()
    guard stat(socket, &status) == 0 || stat((socket as NSString).deletingLastPathComponent, &status) == 0
    else { return nil }
    return GroupName.of(status.st_gid)
  }
}
