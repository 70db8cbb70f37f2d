internal import DecantReport
internal import DecantWorker
internal import FileNames
internal import Foundation

/// Puts a finished store into the output, under its own name only when all of it is durable.
///
/// The folder of a result is `ab/cd/` and the 32 digits of its `PathKey`. It holds the store with its own name, its
/// external data, quarantines, and `report.json`. It comes into its place by one rename.
struct StoreDelivery: Sendable {
  /// What `report.json` holds.
  private struct Receipt: Encodable {
    var ledger: LedgerLine
    var report: MigrationReport
  }

  /// What is read of it.
  private struct Held: Decodable {
    var ledger: LedgerLine
  }

  /// The file beside a result.
  private static let receipt = "report.json"
  /// The longest name of Linux in bytes.
  private static let longestName = 255

  let output: String
  /// This run's folder for what isn't complete yet, on the output's file system.
  let unfinished: UnfinishedFolder
  let goesOn: @Sendable () -> Bool
  /// Whether the file system can exchange two names; false only in tests.
  var exchangesNames = true

  /// The line of the result that the output has of a store; `nil` if it has none.
  static func result(of job: StoreJob, in output: String) -> LedgerLine? {
    let folder = "\(output)/\(job.key.folder)"
    let store = ByteFile.path(Array(folder.utf8), SourceFiles(path: job.path).name.bytes)
    guard let status = ByteFile.status(store), status.st_mode & S_IFMT == S_IFREG,
      let data = FileManager.default.contents(atPath: "\(folder)/\(receipt)")
    else { return nil }
    return (try? JSONDecoder().decode(Held.self, from: data))?.ledger
  }

  /// Delivers a store.
  ///
  /// - Parameter line: The store's line, which becomes a part of `report.json`.
  /// - Returns: The line of the result in the output. It is another run's if that one was first.
  func deliver(
    _ job: StoreJob, _ report: MigrationReport, _ line: LedgerLine
  ) throws(FileTrouble) -> LedgerLine {
    let own = Array("\(unfinished.path)/\(job.id)".utf8)
    let place: [UInt8]
    defer { Self.remove(own) }
    do throws(FileTrouble) {
      Self.remove(own)
      try take(report.result == .alreadyCurrent ? job.sourceFolder : job.outputFolder, to: own)
      try restoreNames(job, in: own)
      try writeReceipt(Receipt(ledger: line, report: report), in: own)
      if let access = job.access { try access.store.give(toContentOf: own, folders: access.support) }
      try FileTree.sync(own)
      place = try makePlace(job.key)
      if let theirs = theirs(job, line) { return theirs }
      try put(own, at: place)
    } catch {
      guard let theirs = theirs(job, line) else { throw error }
      return theirs
    }
    try FileTree.syncOne(Array(place.prefix(upTo: place.lastIndex(of: 0x2F) ?? 0)))
    return line
  }

  /// The line of the same result that another run of the shard has delivered.
  private func theirs(_ job: StoreJob, _ line: LedgerLine) -> LedgerLine? {
    guard let theirs = Self.result(of: job, in: output), line.mark != nil, theirs.mark == line.mark else {
      return nil
    }
    return theirs
  }

  /// Brings a finished store into this run's folder.
  private func take(_ folder: String, to own: [UInt8]) throws(FileTrouble) {
    let folder = Array(folder.utf8)
    for isLast in [false, true] {
      if ByteFile.rename(folder, to: own) == 0 { return }
      switch errno {
      // On one file system a rename does it. A move between two is a copy.
      case EXDEV: return try FileTree.copy(folder, to: own, goesOn: goesOn)
      // The run's folder was removed as a leftover.
      case ENOENT where !isLast: try unfinished.make()
      case let code: throw FileTrouble(own, "made", code)
      }
    }
  }

  /// Gives the files their own names, which may not be text.
  private func restoreNames(_ job: StoreJob, in folder: [UInt8]) throws(FileTrouble) {
    let (now, own) = (job.name, SourceFiles(path: job.path).name)
    guard now != own else { return }
    // The store and its siblings, then what has the stem of its name: associations, quarantines, external data.
    let stems = (StoreNames.stem(now).bytes, StoreNames.stem(own).bytes)
    let starts = [(now.bytes, own.bytes), stems, ([0x2E] + stems.0, [0x2E] + stems.1)]
    guard let entries = ByteFile.entries(of: folder) else { throw FileTrouble(folder, "read") }
    for entry in entries {
      guard let start = starts.first(where: { entry.name.starts(with: $0.0) }) else { continue }
      let name = start.1 + entry.name.dropFirst(start.0.count)
      // A name that the store's own one leaves no room for stays.
      guard name.count <= Self.longestName else { continue }
      let place = ByteFile.path(folder, name)
      guard ByteFile.rename(ByteFile.path(folder, entry.name), to: place) == 0 else {
        throw FileTrouble(place, "written")
      }
    }
  }

  private func writeReceipt(_ receipt: Receipt, in folder: [UInt8]) throws(FileTrouble) {
    let path = ByteFile.path(folder, Array(Self.receipt.utf8))
    guard let data = try? JSONLine.encode(receipt) else { throw FileTrouble(path, "written", EINVAL) }
    let descriptor = ByteFile.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o644)
    guard descriptor >= 0 else { throw FileTrouble(path, "written") }
    defer { close(descriptor) }
    let code = data.withUnsafeBytes { FilePass.write($0, to: descriptor) }
    guard code == 0 else { throw FileTrouble(path, "written", code) }
  }

  /// Makes the two folders above a result.
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
  /// A result of an earlier version of the source, or of other settings, makes room. At each moment, one of the two is in
  /// its place, or in a folder from where the next run puts it back.
  private func put(_ own: [UInt8], at place: [UInt8]) throws(FileTrouble) {
    var code: Int32 = 0
    // Another run may do the same meanwhile.
    for _ in 0..<8 {
      if ByteFile.rename(own, to: place) == 0 { return }
      code = errno
      guard [EEXIST, ENOTEMPTY, ENOTDIR].contains(code) else { break }
      if exchangesNames, ByteFile.exchange(own, with: place) == 0 { return }
      let aside = own + Array(UnfinishedFolder.replaced.utf8)
      Self.remove(aside)
      guard ByteFile.rename(place, to: aside) == 0 else { continue }
      let isDone = ByteFile.rename(own, to: place) == 0
      if isDone {
        Self.remove(aside)
        return
      }
      // The old result returns. If another run's result is there, the old one isn't needed; if the disk fails, the next run
      // puts it back.
      if ByteFile.rename(aside, to: place) != 0, [EEXIST, ENOTEMPTY].contains(errno) { Self.remove(aside) }
    }
    throw FileTrouble(place, "written", code)
  }

  /// Paths in this run's folder are text.
  private static func remove(_ path: [UInt8]) {
    try? FileManager.default.removeItem(atPath: String(decoding: path, as: UTF8.self))
  }
}
