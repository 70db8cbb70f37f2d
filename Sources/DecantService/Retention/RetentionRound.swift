internal import DecantSpool
internal import FileNames

/// Removes results from `done/` and `failed/` that are too old, and the oldest results if `done/` takes too much space.
struct RetentionRound: Sendable {
  /// What a round or a `StraySweep` reports.
  enum Event: Sendable, Hashable {
    /// A folder that was removed; `cause` is `age` or `size`.
    case removed(FinishedFolder, isDone: Bool, cause: String)
    /// The path of an entry that stays, because it isn't a readable folder of a job, and the reason.
    case kept(String, String)
    /// A folder couldn't be listed, or an old result couldn't be removed.
    case failed(FileFailure)
    /// The path of a file or folder that an interrupted command had left, and that was removed.
    case swept(String)
    /// The path of such a file or folder that can't be removed.
    case strayStays(String, FileFailure)
  }

  /// Results that are younger than this always stay, because a person or program may still be using them.
  static let graceSeconds = 3600.0

  let spool: Spool
  let rules: RetentionRules
  /// Seconds since 1970.
  let now: Double

  /// - Parameter goesOn: Asked before each folder; false stops the round.
  func run(goesOn: () -> Bool, report: (Event) -> Void) {
    clear(
      spool.done, isDone: true, days: rules.doneDays, bytes: rules.doneBytes, goesOn: goesOn, report: report)
    clear(spool.failed, isDone: false, days: rules.failedDays, bytes: 0, goesOn: goesOn, report: report)
  }

  private func clear(
    _ place: FolderHandle, isDone: Bool, days: Double, bytes limit: Int, goesOn: () -> Bool,
    report: (Event) -> Void
  ) {
    guard days > 0 || limit > 0 else { return }
    // There may be very many results, so little is kept of each.
    var names = NameList()
    do throws(FileFailure) {
      try place.forEachName { if $0.first != 0x2E { names.append($0) } }
    } catch {
      return report(.failed(error))
    }
    names.sort()
    var (kept, total): ([(changedAt: Double, bytes: Int64, index: UInt32)], Int64) = ([], 0)
    func remove(_ folder: FinishedFolder, _ cause: String) -> Bool {
      do throws(FileFailure) {
        try folder.remove(from: place)
        report(.removed(folder, isDone: isDone, cause: cause))
        return true
      } catch {
        report(.failed(error))
        return false
      }
    }
    func examine(_ name: FileName) -> FinishedFolder? {
      do throws(FinishedFolder.Foreign) {
        return try FinishedFolder(name, in: place, isDone: isDone)
      } catch {
        report(.kept(place.path(of: name.description), error.reason))
        return nil
      }
    }
    for (index, name) in names.enumerated() {
      guard goesOn() else { return }
      guard let folder = examine(name) else { continue }
      if days > 0, now - folder.changedAt >= max(days * 86_400, Self.graceSeconds), remove(folder, "age") {
        continue
      }
      guard limit > 0 else { continue }
      kept.append((folder.changedAt, folder.bytes, UInt32(index)))
      total = total.addingReportingOverflow(folder.bytes).partialValue
    }
    // The names are sorted, so their indexes are in the same order.
    kept.sort { ($0.changedAt, $0.index) < ($1.changedAt, $1.index) }
    for old in kept where total > Int64(limit) {
      guard goesOn(), now - old.changedAt >= Self.graceSeconds else { return }
      let name = names[Int(old.index)]
      // Meanwhile a person may have removed or changed the folder, or put a file into it.
      if (try? place.exists(name.text)) == false {
        total -= old.bytes
        continue
      }
      guard let folder = examine(name), now - folder.changedAt >= Self.graceSeconds else {
        continue
      }
      if remove(folder, "size") { total -= old.bytes }
    }
  }
}
