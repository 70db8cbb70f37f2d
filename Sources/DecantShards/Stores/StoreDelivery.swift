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
  private struct Receipt: Codable {
    var ledger: LedgerLine
    var report: MigrationReport?
  }

  /// The file beside a result.
  private static let receipt = "report.json"

  let output: String
  /// This run's folder for what isn't complete yet, on the output's file system.
  let unfinished: String
  let goesOn: @Sendable () -> Bool

  /// The line of the result that the output has; `nil` if it has none.
  static func receipt(of key: PathKey, in output: String) -> LedgerLine? {
    guard let data = FileManager.default.contents(atPath: "\(output)/\(key.folder)/\(receipt)") else {
      return nil
    }
    return (try? JSONDecoder().decode(Receipt.self, from: data))?.ledger
  }

  /// Delivers a store.
  ///
  /// - Parameter line: The store's line, which becomes a part of `report.json`.
  /// - Returns: The line of the result in the output. It is another run's if that one was first.
  func deliver(
    _ job: StoreJob, _ report: MigrationReport, _ line: LedgerLine
  ) throws(FileTrouble) -> LedgerLine {
    let isCurrent = report.result == .alreadyCurrent
    let folder = Array((isCurrent ? job.sourceFolder : job.outputFolder).utf8)
    let own = Array("\(unfinished)/\(job.id)".utf8)
    Self.remove(own)
    // On one file system a rename does it. A move between two is a copy.
    if ByteFile.rename(folder, to: own) != 0 {
      guard errno == EXDEV else { throw FileTrouble(own, "made") }
      try FileTree.copy(folder, to: own, goesOn: goesOn)
    }
    try restoreNames(job, in: own)
    try writeReceipt(Receipt(ledger: line, report: report), in: own)
    try FileTree.sync(own)
    let place = try makePlace(job.key)
    if let theirs = try exchange(own, with: place, job, line) { return theirs }
    try FileTree.syncOne(Array(place.prefix(upTo: place.lastIndex(of: 0x2F) ?? 0)))
    return line
  }

  /// Gives the files their own names, which may not be text.
  private func restoreNames(_ job: StoreJob, in folder: [UInt8]) throws(FileTrouble) {
    let (now, own) = (job.name, SourceFiles(path: job.path).name)
    guard now != own else { return }
    let names =
      [("", now, own)] + StoreNames.siblingSuffixes.map { ($0, now + $0, own + $0) }
      + [("", StoreNames.support(now), StoreNames.support(own))]
    for (_, from, to) in names {
      let old = ByteFile.path(folder, from.bytes)
      guard ByteFile.status(old) != nil else { continue }
      guard ByteFile.rename(old, to: ByteFile.path(folder, to.bytes)) == 0 else {
        throw FileTrouble(ByteFile.path(folder, to.bytes), "written")
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
  /// A result of an earlier version of the source, or of other settings, makes room. One that another run of this shard
  /// has put there meanwhile stays.
  ///
  /// - Returns: The other run's line; `nil` if the result is this one.
  private func exchange(
    _ own: [UInt8], with place: [UInt8], _ job: StoreJob, _ line: LedgerLine
  ) throws(FileTrouble) -> LedgerLine? {
    for _ in 0..<8 {
      if ByteFile.rename(own, to: place) == 0 { return nil }
      let code = errno
      guard [EEXIST, ENOTEMPTY, EISDIR, ENOTDIR].contains(code) else {
        // The other run has finished the whole shard and tidied up.
        if code == ENOENT, let theirs = Self.receipt(of: job.key, in: output), theirs.mark == line.mark {
          return theirs
        }
        throw FileTrouble(place, "written", code)
      }
      if let theirs = Self.receipt(of: job.key, in: output), theirs.mark == line.mark {
        Self.remove(own)
        return theirs
      }
      let aside = own + Array(".replaced".utf8)
      Self.remove(aside)
      guard ByteFile.rename(place, to: aside) == 0 || errno == ENOENT else {
        throw FileTrouble(place, "replaced")
      }
      defer { Self.remove(aside) }
      if ByteFile.rename(own, to: place) == 0 { return nil }
    }
    throw FileTrouble(place, "written", EBUSY)
  }

  /// Paths in this run's folder are text.
  private static func remove(_ path: [UInt8]) {
    try? FileManager.default.removeItem(atPath: String(decoding: path, as: UTF8.self))
  }
}
