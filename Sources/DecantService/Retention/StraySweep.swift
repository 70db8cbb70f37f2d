internal import DecantSpool
internal import FileNames

/// Removes the temporary files and folders that interrupted commands of Decant have left in the spool, if nothing in
/// them has changed for `ageSeconds`.
///
/// All other names stay, even if they begin with a dot, because they belong to other programs or users.
struct StraySweep: Sendable {
  /// The age in seconds from which a temporary name counts as left over, as in Maildir.
  static let ageSeconds = 36 * 3600.0
  /// The start of the temporary name under which `decant submit` creates a drop.
  static let submitPrefix: FileName = ".decant-submit-"

  let spool: Spool
  /// Seconds since 1970.
  let now: Double

  /// - Parameter goesOn: Asked before each name; false stops the sweep.
  func run(goesOn: () -> Bool, report: (RetentionRound.Event) -> Void) {
    sweep(spool.incoming, Self.submitPrefix, goesOn: goesOn, report: report)
    for place in [spool.done, spool.failed] {
      sweep(place, FileName(JobFolder.gonePrefix), goesOn: goesOn, report: report)
    }
  }

  private func sweep(
    _ place: FolderHandle, _ prefix: FileName, goesOn: () -> Bool, report: (RetentionRound.Event) -> Void
  ) {
    var names: [FileName] = []
    do throws(FileFailure) {
      try place.forEachName { if $0.starts(with: prefix.bytes) { names.append(FileName(bytes: Array($0))) } }
    } catch {
      return report(.failed(error))
    }
    for name in names.sorted() where name.isText {
      guard goesOn() else { return }
      guard let changed = Self.lastChange(of: name, in: place), now - changed >= Self.ageSeconds else {
        continue
      }
      do throws(FileFailure) {
        try place.removeTree(name.text)
        report(.swept(place.path(of: name)))
      } catch {
        report(.strayStays(place.path(of: name), error))
      }
    }
  }

  /// When anything in a tree last changed, as far as it can be read, in seconds since 1970; `nil` if the name is gone
  /// or too deep.
  private static func lastChange(of name: FileName, in folder: FolderHandle, depth: Int = 0) -> Double? {
    guard depth < deepestTree, let status = try? folder.status(name) else { return nil }
    var latest = Double(max(status.changed, status.modified)) / 1e9
    if status.kind == .folder, let inner = try? folder.folder(name), let names = try? inner.names() {
      for entry in names {
        latest = max(latest, lastChange(of: entry, in: inner, depth: depth + 1) ?? latest)
      }
    }
    return latest
  }
}
