internal import DecantSpool
internal import FileNames

/// Removes what interrupted commands of Decant have left in the spool, when no process can use it any more.
///
/// Other names stay, also those that begin with a dot: they are their makers' own.
struct StraySweep: Sendable {
  /// The age from which a temporary name is a stray: that of Maildir.
  static let ageSeconds = 36 * 3600.0
  /// The start of the name under which `decant submit` makes a drop.
  static let submitPrefix: FileName = ".decant-submit-"

  let spool: Spool
  /// Seconds since 1970.
  let now: Double

  /// - Parameters:
  ///   - goesOn: False stops before the next name.
  ///   - report: Gets each event at once.
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
      guard let changed = Self.lastChange(of: name.text, in: place), now - changed >= Self.ageSeconds else {
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

  /// When a tree was changed last, as far as it can be read, in seconds since 1970; `nil` if it is gone.
  private static func lastChange(of name: String, in folder: FolderHandle, depth: Int = 0) -> Double? {
    guard depth < deepestTree, let status = try? folder.status(name) else { return nil }
    var latest = Double(max(status.changed, status.modified)) / 1e9
    if status.kind == .folder, let inner = try? folder.folder(name), let names = try? inner.names() {
      for entry in names where entry.isText {
        latest = max(latest, lastChange(of: entry.text, in: inner, depth: depth + 1) ?? latest)
      }
    }
    return latest
  }
}
