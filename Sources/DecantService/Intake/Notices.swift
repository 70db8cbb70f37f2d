internal import DecantSpool
internal import FileNames

/// The notices in `incoming/`: one for each drop that is reported as blocked.
struct Notices {
  /// The notices that were wanted at the last update, by name.
  private var written: [String: Notice] = [:]

  /// Writes the missing and the changed notices, and removes the notices whose reason is gone.
  ///
  /// - Parameter found: The names of the notices in the folder.
  mutating func update(for obstacles: [FileName: [Obstacle]], found: [FileName], in incoming: FolderHandle) {
    var wanted: [String: Notice] = [:]
    for (drop, list) in obstacles where !list.isEmpty {
      let notice = Notice(drop, list)
      wanted[notice.name] = notice
    }
    let there = Set(found.map(\.text))
    for name in there where wanted[name] == nil { _ = incoming.remove(noticeNamed: name) }
    for (name, notice) in wanted where written[name] != notice || !there.contains(name) {
      // If the notice can't be written, the log and the socket still have the reason.
      _ = incoming.write(notice)
    }
    written = wanted
  }
}
