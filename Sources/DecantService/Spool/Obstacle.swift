/// Why something in `incoming/` is left where it is, and the command that mends it.
package struct Obstacle: Sendable, Hashable {
  /// The drop's name in `incoming/`.
  package var drop: String
  /// One sentence.
  package var message: String
  /// A command for the shell; nobody runs it but a person.
  package var command: String

  package var description: String { "\(message) Mend it with: \(command)" }

  /// Something that is neither a file nor a folder.
  static func wrongKind(drop: String, path: String, kind: FileStatus.Kind) -> Obstacle {
    Obstacle(
      drop: drop, message: "“\(path)” is \(kind.rawValue) and not a file or folder; it is left where it is.",
      command: "rm \(ShellQuoting.quote(path))")
  }

  static func hardLink(drop: String, path: String, links: Int) -> Obstacle {
    let quoted = ShellQuoting.quote(path)
    let copy = ShellQuoting.quote(hiddenPath(path))
    return Obstacle(
      drop: drop,
      message: "“\(path)” has \(links) names (hard links): somebody else could still write to it.",
      command: "cp -p \(quoted) \(copy) && mv \(copy) \(quoted)")
  }

  static func otherFileSystem(drop: String, path: String) -> Obstacle {
    let quoted = ShellQuoting.quote(path)
    return Obstacle(
      drop: drop, message: "“\(path)” is on another file system and can't be renamed into the spool's work.",
      command: "umount \(quoted)")
  }

  static func unreadable(drop: String, path: String, isFolder: Bool, groupFits: Bool, group: String) -> Obstacle
  {
    let quoted = ShellQuoting.quote(path)
    let mode = isFolder ? "g+rwx" : "g+r"
    let chmod = "chmod \(mode) \(quoted)"
    return Obstacle(
      drop: drop,
      message: isFolder
        ? "The folder “\(path)” can't be taken: the daemon may not read, search and write it."
        : "“\(path)” can't be read by the daemon.",
      command: groupFits ? chmod : "chgrp \(ShellQuoting.quote(group)) \(quoted) && \(chmod)")
  }

  static func fixed(drop: String, path: String, incoming: String) -> Obstacle {
    Obstacle(
      drop: drop,
      message: "“\(path)” can't be taken out of “\(incoming)”: the folder isn't the daemon's, and it is sticky "
        + "or not writable.",
      command: "chmod g+rwx,-t \(ShellQuoting.quote(incoming))")
  }

  static func badName(drop: String, bytes: [UInt8], incoming: String, reason: String) -> Obstacle {
    let path = Array((incoming + "/").utf8) + bytes
    let safe = String(
      bytes.prefix(80).map { byte in
        let character = Character(UnicodeScalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber || character == ".")
          ? character : "_"
      })
    let target = incoming + "/" + (safe.hasPrefix(".") ? "_" + safe.dropFirst() : safe)
    return Obstacle(
      drop: drop, message: "“\(drop)” in “\(incoming)” \(reason).",
      command: "mv \(ShellQuoting.quote(bytes: path)) \(ShellQuoting.quote(target))")
  }

  static func sharedStem(drop: String, other: String, shared: String, incoming: String) -> Obstacle {
    let folder = incoming + "/." + drop + ".drop"
    let path = incoming + "/" + drop
    return Obstacle(
      drop: drop,
      message: "“\(shared)” may belong to “\(drop)” or to “\(other)”. Give each store a folder of its own.",
      command:
        "mkdir \(ShellQuoting.quote(folder)) && mv \(ShellQuoting.quote(path)) \(ShellQuoting.quote(folder))"
        + " && mv \(ShellQuoting.quote(folder)) \(ShellQuoting.quote(path + ".drop"))")
  }

  static func stray(name: String, path: String, store: String, takenAs job: String?) -> Obstacle {
    Obstacle(
      drop: name,
      message: job.map {
        "“\(path)” came after its store “\(store)” was taken as job \($0), which went on without it. Drop the "
          + "store again with all its files, in one folder."
      } ?? "“\(path)” waits for its store “\(store)”. Put the store beside it, or set the file aside.",
      // It may be the only copy of somebody's last changes: never a command that deletes it.
      command: "mv \(ShellQuoting.quote(path)) \(ShellQuoting.quote(hiddenPath(path)))")
  }

  private static func hiddenPath(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." + path }
    return path[...slash] + "." + path[path.index(after: slash)...]
  }
}
