import DecantSQLite
import Foundation

@testable import DecantMigration
@testable import DecantReport

/// A job that is killed after a commit and run again, repeatedly until it is done.
///
/// SIGKILL leaves the files in their present state. So the work folder is copied after the commit, the run is stopped,
/// and the next run starts with the copy.
final class KilledJob: @unchecked Sendable {
  private let job: MigrationJob
  /// The number of commits before the next kill, at least one.
  private var pause: () -> Int
  private let lock = NSLock()
  private var isDead = false
  /// The states at the earlier kills.
  ///
  /// A run isn't killed at one of these states again.
  private var places: Set<String> = []
  private var due = 0
  private var last: UInt32?
  private(set) var kills = 0

  init(_ job: MigrationJob, pause: @escaping () -> Int) {
    self.job = job
    self.pause = pause
  }

  func run() throws -> MigrationReport {
    while true {
      (isDead, due, last) = (false, pause(), changes())
      let report = Result { () throws(MigrationFailure) in
        try Migration.run(job, shouldStop: look) { _ in _ = self.look() }
      }
      guard isDead else { return try report.get() }
      if case .failure(let failure) = report, failure.reason != .stopped { throw failure }
      kills += 1
      let place = job.output.deletingLastPathComponent()
      for name in try FileManager.default.contentsOfDirectory(atPath: place.path) where name != "copy" {
        try FileManager.default.removeItem(at: place.appendingPathComponent(name))
      }
      try FileManager.default.moveItem(at: copy, to: job.workFolder)
    }
  }

  private var copy: URL { job.output.deletingLastPathComponent().appendingPathComponent("copy") }

  /// Kills the run if enough commits are done and the state is a new one.
  ///
  /// It is called between chunks, when nothing is being written.
  ///
  /// - Returns: Whether the run is killed.
  private func look() -> Bool {
    lock.withLock {
      guard !isDead else { return true }
      let counter = changes()
      if counter != last {
        due -= 1
        last = counter
      }
      guard due <= 0, let place = try? state(), places.insert(place).inserted else { return false }
      try? FileManager.default.copyItem(at: job.workFolder, to: copy)
      isDead = true
      return true
    }
  }

  private var file: String { job.workFolder.appendingPathComponent("step-1.sqlite.partial").path }

  /// SQLite's count of the working file's commits, from its header; `nil` without a working file.
  private func changes() -> UInt32? {
    let descriptor = open(file, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: UInt32 = 0
    return pread(descriptor, &bytes, 4, 24) == 4 ? UInt32(bigEndian: bytes) : nil
  }

  /// The progress of the work, without the parts that every run writes again; `nil` before there is a working file.
  private func state() throws -> String? {
    guard changes() != nil else { return nil }
    let names = try FileManager.default.contentsOfDirectory(atPath: job.workFolder.path).sorted()
    let found = try SQLiteDatabase(file, mode: .readWrite).rows(
      """
      SELECT (SELECT began || ' ' || checked FROM Z_DECANT_STEP) || ' '
        || (SELECT ifnull(group_concat(line, ';'), '') FROM (SELECT work || ' ' || ifnull(position, '') || ' '
          || chunks || ' ' || done AS line FROM Z_DECANT_CHECKPOINT ORDER BY work))
        || ' ' || (SELECT count(*) FROM sqlite_master) || ' ' || (SELECT count(*) FROM Z_METADATA)
      """)
    guard case .text(let text)? = found.first?.first else { return nil }
    return (names.filter { !$0.contains("journal") } + [text]).joined(separator: " ")
  }
}
