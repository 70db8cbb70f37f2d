package import FileNames

/// Why an entry in `incoming/` can't be taken, and the command that repairs it.
package struct Obstacle: Sendable, Hashable {
  package var drop: FileName
  /// One sentence, or a few.
  package var message: String
  /// A shell command.
  ///
  /// Only a person runs the command. The text is empty if no command helps.
  package var command: String
  /// Whether the only reason is that a program has a file open for writing.
  package var isOpenForWriting = false

  package var description: String { command.isEmpty ? message : "\(message) Fix it with: \(command)" }

  /// An entry that the daemon's user may not use.
  ///
  /// - Parameter command: A command of `AccessRemedy`; it may need a program that many systems lack.
  package static func denied(drop: FileName, message: String, command: String) -> Obstacle {
    let needs = command.hasPrefix("setfacl ") ? " The command setfacl is in the package “acl”." : ""
    return Obstacle(drop: drop, message: message + needs, command: command)
  }

  static func failed(_ failure: FileFailure, drop: FileName, path: String, _ remedy: AccessRemedy) -> Obstacle {
    // A change of permissions doesn't repair a disk.
    failure.isPassing
      ? Obstacle(drop: drop, message: "\(failure) Decant tries again.", command: "")
      : denied(drop: drop, message: failure.description, command: remedy.command(forAllOf: path))
  }

  /// A drop that another program has open for writing: the copy may be unfinished.
  package static func openForWriting(drop: FileName, path: String) -> Obstacle {
    Obstacle(
      drop: drop,
      message:
        "“\(PrintedName.of(path))” is open for writing in another program. Decant waits until the file is closed.",
      command: "", isOpenForWriting: true)
  }

  static func wrongKind(drop: FileName, path: String, kind: FileStatus.Kind) -> Obstacle {
    Obstacle(
      drop: drop,
      message:
        "“\(PrintedName.of(path))” is \(kind.rawValue) and not a file or folder; it stays there.",
      command: "rm \(ShellQuoting.quote(path))")
  }

  static func hardLink(drop: FileName, path: String, links: Int) -> Obstacle {
    let quoted = ShellQuoting.quote(path)
    let copy = ShellQuoting.quote(hiddenPath(path))
    return Obstacle(
      drop: drop,
      message:
        "“\(PrintedName.of(path))” has \(links) names (hard links): another program could still write to it.",
      command: "[ ! -e \(copy) ] && cp -p \(quoted) \(copy) && mv \(copy) \(quoted)")
  }

  static func foreignOwner(drop: FileName, path: String, owner: UInt32, expected: UInt32) -> Obstacle {
    let quoted = ShellQuoting.quote(path)
    return Obstacle(
      drop: drop,
      message:
        "“\(PrintedName.of(path))” belongs to the user \(UserName.of(owner)), and the drop to \(UserName.of(expected)). All files of a "
        + "drop must belong to one user.",
      command: "chown -h \(ShellQuoting.quote(UserName.of(expected))) \(quoted)")
  }

  static func otherFileSystem(drop: FileName, path: String) -> Obstacle {
    let quoted = ShellQuoting.quote(path)
    return Obstacle(
      drop: drop,
      message:
        "“\(PrintedName.of(path))” is on another file system and can't be renamed into the spool's folder “work”.",
      command: "umount \(quoted)")
  }

  static func unreadable(drop: FileName, path: String, isFolder: Bool, command: String) -> Obstacle {
    denied(
      drop: drop,
      message: isFolder
        ? "The folder “\(PrintedName.of(path))” can't be taken: the daemon needs rights to read, write and enter it."
        : "“\(PrintedName.of(path))” can't be read by the daemon.",
      command: command)
  }

  static func fixed(drop: FileName, path: String, incoming: String) -> Obstacle {
    Obstacle(
      drop: drop,
      message:
        "“\(PrintedName.of(path))” can't be taken out of “\(PrintedName.of(incoming))”: the folder belongs to another user, and it is sticky "
        + "or not writable.",
      command: "chmod g+rwx,-t \(ShellQuoting.quote(incoming))")
  }

  /// - Parameters:
  ///   - folder: The path of the folder that holds the name.
  ///   - usable: The new names of the file and of those that belong to it.
  static func badName(
    drop: FileName, name: FileName, folder: String, reason: String, usable: UsableName
  ) -> Obstacle {
    Obstacle(
      drop: drop, message: "“\(name)” in “\(PrintedName.of(folder))” \(reason).",
      command: usable.command(in: folder))
  }

  /// - Parameter files: The files that belong to the drop's store alone.
  static func sharedStem(
    drop: FileName, files: [FileName], other: FileName, shared: FileName, incoming: String
  ) -> Obstacle {
    func quoted(_ name: String) -> String { ShellQuoting.quote(incoming + "/" + name) }
    let (folder, target) = (quoted("." + drop.text + ".drop"), quoted(drop.text + ".drop"))
    return Obstacle(
      drop: drop,
      message:
        "“\(shared)” may belong to “\(drop)” or to “\(other)”. Put each store into a separate folder, and "
        + "“\(shared)” into the folder of its store.",
      command: "[ ! -e \(target) ] && mkdir \(folder) && mv -n "
        + (files + [drop]).map { quoted($0.text) }.joined(separator: " ")
        + " \(folder) && mv -nT \(folder) \(target)")
  }

  /// - Parameters:
  ///   - job: The job for which the store was taken; `nil` if no such job is known.
  ///   - keepsOriginal: Whether the job's original stays beside its result.
  static func stray(
    name: FileName, path: String, store: FileName, takenAs job: String?, keepsOriginal: Bool
  ) -> Obstacle {
    let remedy =
      keepsOriginal
      ? "When the job is over, make a folder “.\(store)” in incoming. Move this file and everything from the job's "
        + "folder “original” into the new folder, and rename that folder to “\(store)”."
      : "Drop your own copy of the store again, together with all its files."
    return Obstacle(
      drop: name,
      message: job.map {
        "“\(PrintedName.of(path))” arrived after its store “\(store)” was taken as job \($0). The job doesn't have "
          + "this file, so the result lacks what only this file has. \(remedy)"
      }
        ?? "“\(PrintedName.of(path))” waits for its store “\(store)”. Put the store beside it, or move the file away.",
      // The file may be the only copy of the last changes: never suggest a command that deletes it.
      command: hiding(path))
  }

  /// - Parameter folder: The folder that holds the drop's files.
  static func otherForm(_ form: OtherForm, drop: FileName, folder: String, incoming: String) -> Obstacle {
    Obstacle(drop: drop, message: form.sentence, command: form.command(in: folder, aside: incoming))
  }

  /// A command that gives an entry a name that the daemon doesn't take; it replaces nothing.
  static func hiding(_ path: String) -> String {
    let hidden = ShellQuoting.quote(hiddenPath(path))
    return "[ ! -e \(hidden) ] && mv -nT \(ShellQuoting.quote(path)) \(hidden)"
  }

  private static func hiddenPath(_ path: String) -> String {
    "\(PathText.folder(of: path))/.\(PathText.name(of: path).text)"
  }
}
