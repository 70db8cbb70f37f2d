internal import DecantReport
internal import DecantWorker
internal import FileNames
internal import Foundation

/// Puts a result into the output: into its place only when all its files are durable.
///
/// The folder of a result is `ab/cd/` and the 32 digits of its `PathKey`. It holds the store with its own name, its
/// external data, quarantines, and `report.json`. The folder gets its place by one rename.
struct StoreDelivery: Sendable {
  enum End {
    /// The output has the result; the line is another run's if that run was first.
    case delivered(LedgerLine)
    /// Nothing was delivered, because the result could be older than the one in the output.
    case overtaken(MigrationFailure)
  }

  /// The longest name of Linux in bytes.
  private static let longestName = 255

  let output: String
  /// This run's folder for unfinished results, on the output's file system.
  let unfinished: UnfinishedFolder
  let goesOn: @Sendable () -> Bool
  /// Whether the exchange of two names is tried; false in tests, to behave like NFS.
  var exchangesNames = true

  /// The receipt of a store's result in the output; `nil` if there is none that can be read.
  static func receipt(of job: StoreJob, in output: String) -> ResultReceipt? {
    ResultReceipt(in: Array("\(output)/\(job.key.folder)".utf8))
  }

  /// Delivers a store.
  ///
  /// - Parameter line: The store's line, which becomes a part of `report.json`.
  func deliver(
    _ job: StoreJob, _ report: MigrationReport, _ line: LedgerLine
  ) throws(FileTrouble) -> End {
    let own = Array("\(unfinished.path)/\(job.id)".utf8)
    let place: [UInt8]
    defer { Self.remove(own) }
    do throws(FileTrouble) {
      Self.remove(own)
      try take(report.result == .alreadyCurrent ? job.sourceFolder : job.outputFolder, to: own)
      try restoreNames(job, in: own)
      try ResultReceipt.write(line, report, in: own)
      if let access = job.access { try access.give(toContentOf: own) }
      try FileTree.sync(own)
      place = try makePlace(job.key)
      if let theirs = try theirs(job, line) { return .delivered(theirs) }
      if job.held != nil, let failure = Self.change(of: job) { return .overtaken(failure) }
      guard try put(own, at: place, inPlaceOf: job.held) else {
        if let theirs = try theirs(job, line) { return .delivered(theirs) }
        return .overtaken(Self.otherResult(job))
      }
    } catch {
      guard let theirs = try theirs(job, line) else { throw error }
      return .delivered(theirs)
    }
    try Self.syncName(place)
    return .delivered(line)
  }

  /// Makes the name of a result durable.
  static func syncName(_ place: [UInt8]) throws(FileTrouble) {
    try FileTree.syncOne(Array(place.prefix(upTo: place.lastIndex(of: 0x2F) ?? 0)))
  }

  /// Why a result must not replace an earlier one; `nil` if the source is as it was when it was copied.
  private static func change(of job: StoreJob) -> MigrationFailure? {
    guard let state = job.state else { return nil }
    do throws(MigrationFailure) {
      if try SourceFiles(path: job.path).state() == state { return nil }
    } catch {
      var failure = error
      failure.disposition = .retry
      return failure
    }
    return MigrationFailure(
      .sourceChanged,
      message: "\(job.path) was written while its copy was migrated, and the output has an earlier result.",
      advice: "Run the shard again when no program writes to the store.")
  }

  private static func otherResult(_ job: StoreJob) -> MigrationFailure {
    MigrationFailure(
      .files, .retry, message: "Another run has delivered another result of \(job.path) meanwhile.",
      advice: "End all other runs of the shard, then run it again.")
  }

  /// The line of the same result that another run of the shard has delivered; `nil` if there is no such result.
  ///
  /// That run may have been killed before its result's name was durable, so the name is made durable here.
  private func theirs(_ job: StoreJob, _ line: LedgerLine) throws(FileTrouble) -> LedgerLine? {
    guard var theirs = Self.receipt(of: job, in: output)?.line, line.mark != nil, theirs.mark == line.mark
    else { return nil }
    try Self.syncName(Array("\(output)/\(job.key.folder)".utf8))
    theirs.found = true
    return theirs
  }

  /// Moves a finished store into this run's folder.
  private func take(_ folder: String, to own: [UInt8]) throws(FileTrouble) {
    let folder = Array(folder.utf8)
    for isLast in [false, true] {
      if ByteFile.rename(folder, to: own) == 0 { return }
      switch errno {
      // A rename works only within one file system. If there are two file systems, the folder is copied.
      case EXDEV: return try FileTree.copy(folder, to: own, goesOn: goesOn)
      // Another run has removed this run's folder as a leftover, so the folder is made again.
      case ENOENT where !isLast: try unfinished.make()
      case let code: throw FileTrouble(own, "made", code)
      }
    }
  }

  /// Gives the files their own names, which may not be text.
  private func restoreNames(_ job: StoreJob, in folder: [UInt8]) throws(FileTrouble) {
    let (now, own) = (job.name, SourceFiles(path: job.path).name)
    guard now != own else { return }
    // First the store and its siblings, then the files that begin with its stem: associations, quarantines, external
    // data.
    let stems = (StoreNames.stem(now).bytes, StoreNames.stem(own).bytes)
    let starts = [(now.bytes, own.bytes), stems, ([0x2E] + stems.0, [0x2E] + stems.1)]
    guard let entries = ByteFile.entries(of: folder) else { throw FileTrouble(folder, "read") }
    for entry in entries {
      guard let start = starts.first(where: { entry.name.starts(with: $0.0) }) else { continue }
      let name = start.1 + entry.name.dropFirst(start.0.count)
      // If the new name would be too long, the file keeps its name.
      guard name.count <= Self.longestName else { continue }
      let place = ByteFile.path(folder, name)
      guard ByteFile.rename(ByteFile.path(folder, entry.name), to: place) == 0 else {
        throw FileTrouble(place, "written")
      }
    }
  }

  /// Makes the two folders above a result.
  ///
  /// - Returns: The path of the result's own folder, which isn't made.
  private func makePlace(_ key: PathKey) throws(FileTrouble) -> [UInt8] {
    let parts = key.folder.split(separator: "/").map { Array($0.utf8) }
    var path = Array(output.utf8)
    for part in parts.dropLast() {
      let parent = path
      path = ByteFile.path(path, part)
      if try FileTree.make(path) { try FileTree.syncOne(parent) }
    }
    return ByteFile.path(path, parts.last ?? [])
  }

  /// Renames a result into its place.
  ///
  /// The result replaces the earlier result that was there when the store was copied. At each moment one of the two is
  /// in the place, or the earlier one is in a folder from which the next run puts it back.
  ///
  /// - Returns: False if the place has another result by now. That result may be newer, so it stays.
  private func put(_ own: [UInt8], at place: [UInt8], inPlaceOf held: PathKey?) throws(FileTrouble) -> Bool {
    var code: Int32 = 0
    // Another run may do the same meanwhile, so the steps are tried several times.
    for _ in 0..<8 {
      if ByteFile.rename(own, to: place) == 0 { return true }
      code = errno
      guard [EEXIST, ENOTEMPTY, ENOTDIR].contains(code) else { break }
      guard ResultReceipt(in: place)?.mark == held else { return false }
      if exchangesNames, ByteFile.exchange(own, with: place) == 0 {
        // Another run may have delivered a result between the check and the exchange. Then the two are exchanged back.
        if ResultReceipt(in: own)?.mark == held { return true }
        guard ByteFile.exchange(own, with: place) == 0 || ByteFile.rename(own, to: place) == 0 else {
          throw FileTrouble(place, "written")
        }
        return false
      }
      let aside = own + Array(UnfinishedFolder.replaced.utf8)
      Self.remove(aside)
      guard ByteFile.rename(place, to: aside) == 0 else {
        if errno != ENOENT { code = errno }
        continue
      }
      let isHeld = ResultReceipt(in: aside)?.mark == held
      if isHeld, ByteFile.rename(own, to: place) == 0 {
        Self.remove(aside)
        return true
      }
      // The old result goes back to its place. If another run's result is there now, the old one isn't needed. If the
      // disk fails, the next run puts the old one back.
      if ByteFile.rename(aside, to: place) != 0, [EEXIST, ENOTEMPTY].contains(errno) { Self.remove(aside) }
      if !isHeld { return false }
    }
    throw FileTrouble(place, "written", code)
  }

  /// Removes a path in this run's folder; such paths are text.
  private static func remove(_ path: [UInt8]) {
    try? FileManager.default.removeItem(atPath: String(decoding: path, as: UTF8.self))
  }
}
