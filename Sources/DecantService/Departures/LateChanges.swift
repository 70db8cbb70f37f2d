internal import DecantReport
internal import DecantSpool
internal import FileNames
internal import Foundation

/// Finds refused drops whose files change after the refusal, because a program is still copying them.
///
/// That program now writes into `failed/JOB/original`. Such a drop goes back to `incoming/`, where it settles again.
final class LateChanges {
  /// The seconds after the refusal for which a drop is watched.
  static let seconds = 3600.0
  /// The largest number of watched drops; the latest ones are watched.
  static let most = 1000

  private struct Watched {
    var job: String
    /// Seconds since 1970.
    var until: Double
  }

  private let context: DaemonContext
  private var watched: [Watched] = []

  init(_ context: DaemonContext) { self.context = context }

  func watch(_ job: String) { add(job, refusedAt: context.clock.wall()) }

  private func add(_ job: String, refusedAt moment: Double) {
    watched.append(Watched(job: job, until: moment + Self.seconds))
    if watched.count > Self.most { watched.removeFirst(watched.count - Self.most) }
  }

  /// Watches the drops that an earlier daemon has refused lately.
  func begin() {
    let (failed, now) = (context.spool.failed, context.clock.wall())
    var found: [(job: String, moment: Double)] = []
    try? failed.forEachName { bytes in
      let job = String(decoding: bytes, as: UTF8.self)
      guard Recovery.arrival(of: job) != nil,
        let reason = try? failed.status("\(job)/\(Departure.reason)"), reason.kind == .file
      else { return }
      // If the clock was set back, the moment may lie in the future.
      let moment = min(Double(reason.modified) / 1e9, now)
      if now - moment < Self.seconds { found.append((job, moment)) }
    }
    for entry in found.sorted(by: { $0.moment < $1.moment }) { add(entry.job, refusedAt: entry.moment) }
  }

  /// Moves the drops whose files have changed since the refusal back to `incoming/`.
  ///
  /// - Returns: Their names in `incoming/`.
  func takeBack() -> [FileName] {
    let now = context.clock.wall()
    var taken: [FileName] = []
    watched = watched.filter { entry in
      guard now < entry.until else { return false }
      do throws(FileFailure) {
        switch try look(at: entry.job) {
        case .unchanged: return true
        case .gone: return false
        case .changed(let reason, let folder):
          guard let name = try giveBack(reason, folder, entry.job) else { return true }
          taken.append(name)
          return false
        }
      } catch {
        // For example, `incoming/` has another drop with the drop's name. The next scan tries again.
        return true
      }
    }
    return taken
  }

  private enum Look {
    case unchanged
    case gone
    case changed(RefusalReason, FolderHandle)
  }

  private func look(at job: String) throws(FileFailure) -> Look {
    guard try context.spool.failed.status(job)?.kind == .folder else { return .gone }
    let folder = try context.spool.failed.folder(job)
    guard let data = try folder.read(Departure.reason, limit: Departure.largestReport),
      let reason = try? JSONDecoder().decode(RefusalReason.self, from: data), let files = reason.files,
      // A person has cancelled the job on purpose.
      reason.reason != .cancelled
    else { return .gone }
    guard try folder.status(Departure.original)?.kind == .folder else { return .gone }
    let measure = try folder.measure(Departure.original, as: JobFolder.source)
    return measure.fingerprint.text == files ? .unchanged : .changed(reason, folder)
  }

  /// Renames the files back as one folder.
  ///
  /// - Returns: The folder's name in `incoming/`; `nil` if no drop can have the drop's name.
  private func giveBack(_ reason: RefusalReason, _ folder: FolderHandle, _ job: String) throws(FileFailure)
    -> FileName?
  {
    guard let name = PrintedName.name(of: reason.drop), name.isText,
      !name.hasPrefix("."), !name.bytes.contains(0x2F), name.bytes.count <= StoreNames.longestName
    else { return nil }
    let incoming = context.spool.incoming
    try folder.rename(Departure.original, to: incoming, as: name.text)
    try incoming.settle([.folder(incoming), .folder(folder)])
    context.events.write(
      event: "taken-back", [("job", job), ("drop", reason.drop), ("store", reason.store)])
    context.events.say(
      .warning,
      "The files of job \(job) changed after the job was refused, so they hadn't been copied completely. They are in "
        + "“\(PrintedName.of(incoming.path(of: name)))” again.",
      event: "taken-back")
    // If this fails, the report files stay without a store. They do no harm.
    try? context.spool.failed.rename(job, to: context.spool.failed, as: JobFolder.gonePrefix + job)
    try? context.spool.failed.removeTree(JobFolder.gonePrefix + job)
    return name
  }
}
