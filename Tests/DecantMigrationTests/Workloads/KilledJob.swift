import DecantSQLite
import Foundation

@testable import DecantMigration

/// A job that is killed after a commit and run again, again and again until it is done.
///
/// What SIGKILL leaves is what the files hold at that moment. So the files are copied when the commit has been made, the
/// run is ended, whatever it does at its end, and the next one finds the copy.
final class KilledJob: @unchecked Sendable {
  private let job: MigrationJob
  /// How many commits to let pass, one at least.
  private var pause: () -> Int
  private let lock = NSLock()
  private var isDead = false
  /// Where the work stood when it was killed, so that no place comes twice.
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
      if case .failure(let failure) = report, failure.reason != "stopped" { throw failure }
      kills += 1
      let place = job.output.deletingLastPathComponent()
      for name in try FileManager.default.contentsOfDirectory(atPath: place.path) where name != "copy" {
        try FileManager.default.removeItem(at: place.appendingPathComponent(name))
      }
      try FileManager.default.moveItem(at: copy, to: job.workFolder)
    }
  }

  private var copy: URL { job.output.deletingLastPathComponent().appendingPathComponent("copy") }

  /// Kills the run where it has come further by enough commits.
  ///
  /// Asked between chunks, where nothing is being written.
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

  /// SQLite's count of a file's commits, from its header; `nil` where there is no file.
  private func changes() -> UInt32? {
    let descriptor = open(file, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: UInt32 = 0
    return pread(descriptor, &bytes, 4, 24) == 4 ? UInt32(bigEndian: bytes) : nil
  }

  /// How far the work has come, but for what every run writes anew; `nil` before there is a working file.
  private func state() throws -> String? {
    guard changes() != nil else { return nil }
    let names = try FileManager.default.contentsOfDirectory(atPath: job.workFolder.path).sorted()
    let found = try SQLiteDatabase(file, mode: .readWrite).rows(
      """
      SELECT (SELECT group_concat(line, ';') FROM (SELECT work || ' ' || ifnull(position, '') || ' '
          || ifnull(chunks, '') || ' ' || ifnull(done, '') AS line FROM Z_DECANT_CHECKPOINT WHERE work <> -1 ORDER BY work))
        || ' ' || (SELECT count(*) FROM sqlite_master) || ' ' || (SELECT count(*) FROM Z_METADATA)
      """)
    guard case .text(let text)? = found.first?.first else { return nil }
    return (names.filter { !$0.contains("journal") } + [text]).joined(separator: " ")
  }
}
