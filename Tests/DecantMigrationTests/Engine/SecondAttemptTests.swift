import DecantModel
import DecantStore
import Foundation
import Synchronization
import Testing

@testable import DecantCatalogue
@testable import DecantMigration
@testable import DecantReport

@Suite("The second attempt at a store") struct SecondAttemptTests {
  private static let versions = ["Note\n text String?", "Note\n text String"]

  private func shop(text: String = "'a'") throws -> Workshop {
    let shop = try Workshop(Self.versions)
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, \(text))")
    return shop
  }

  /// The number of attempts if every attempt is refused, and the reported failure.
  private func attempts(
    _ shop: Workshop, _ reason: FailureReason, whileWriting: Bool,
    goesOn: @escaping @Sendable () -> Bool = { true },
    shelf: CatalogueShelf? = nil
  ) -> (count: Int, told: MigrationFailure?) {
    var count = 0
    var job = shop.job()
    job.shelf = shelf
    job.finishBeat = 0
    let told = #expect(throws: MigrationFailure.self) {
      try SecondAttempt.run(job, goesOn: goesOn) { _, isWriting throws(MigrationFailure) in
        count += 1
        isWriting = whileWriting
        throw MigrationFailure(reason, .refuse, message: "Attempt \(count).")
      }
    }
    return (count, told)
  }

  @Test("damage and an unknown version cost a second attempt; a refusal because of rows or policies doesn't")
  func counts() throws {
    let shop = try shop()
    for isWriting in [false, true] {
      for reason: FailureReason in [
        .notUnique, .invalidObjects, .valuesDoNotFit, .valueTooLarge, .dataLoss,
        .chunkPredicates,
        .policyFailed, .noTarget,
      ] {
        #expect(attempts(shop, reason, whileWriting: isWriting).count == 1, "\(reason)")
      }
      for reason: FailureReason in [.damaged, .inconsistentStore, .unknownVersion] {
        #expect(attempts(shop, reason, whileWriting: isWriting).count == 2, "\(reason)")
      }
    }
    let folder = shop.source.deletingLastPathComponent().path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["Store.sqlite"])
  }

  @Test("objects that break a rule are refused after one attempt")
  func rows() throws {
    let shop = try shop(text: "NULL")
    try shop.map("{ source: \"Note\", destination: \"Note\" }")
    let checks = Mutex((count: 0, last: MigrationProgress.Stage.open))
    let failure = #expect(throws: MigrationFailure.self) {
      try Migration.run(
        shop.job(),
        progress: { progress in
          checks.withLock { checks in
            if progress.stage == .validate, checks.last != .validate { checks.count += 1 }
            checks.last = progress.stage
          }
        })
    }
    #expect(failure?.reason == .invalidObjects, "\(String(describing: failure))")
    #expect(checks.withLock { $0.count } == 1)
  }

  @Test("a second attempt is made if the bytes on the disk have changed, or if they can't be read")
  func others() throws {
    let changed = try shop()
    let path = changed.source.path
    let asked = Atomic(0)
    let other = attempts(
      changed, .notUnique, whileWriting: true,
      goesOn: {
        // The first reading of the bytes asks twice: before the only piece, and at the end. The file change counter
        // isn't changed.
        if asked.add(1, ordering: .relaxed).newValue == 3 {
          let file = FileHandle(forUpdatingAtPath: path)
          try? file?.seek(toOffset: 24)
          try? file?.write(contentsOf: Data([0, 0, 9, 9]))
        }
        return true
      })
    #expect(other.count == 2 && other.told?.message == "Attempt 2.")

    let unread = try shop()
    let plan = DiskFaultPlan(at: unread.source.path, failAt: 1, isPersistent: false, code: EIO)
    let again = plan.arming { attempts(unread, .notUnique, whileWriting: true) }
    #expect(again.count == 2 && again.told?.message == "Attempt 2.")

    let stopped = attempts(try shop(), .notUnique, whileWriting: true, goesOn: { false })
    #expect(stopped.count == 1 && stopped.told?.disposition == .stopped)
  }

  /// The names in the work folder when the second attempt begins.
  private func work(
    of shop: Workshop, whileWriting: Bool = true, _ prepare: () throws -> Void = {},
    fail: () -> Void = {}
  ) throws -> [String] {
    let kept = shop.work.appendingPathComponent("step-1.sqlite.partial").path
    try FileManager.default.createDirectory(at: shop.work, withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: kept, contents: Data())
    try prepare()
    var seen: [[String]] = []
    try SecondAttempt.run(shop.job()) { _, isWriting throws(MigrationFailure) in
      seen.append((try? FileManager.default.contentsOfDirectory(atPath: shop.work.path).sorted()) ?? ["gone"])
      guard seen.count == 1 else { return }
      isWriting = whileWriting
      fail()
      throw MigrationFailure(.damaged, message: "")
    }
    #expect(seen.count == 2)
    return try #require(seen.last)
  }

  @Test("the work of an attempt that failed while writing is removed, unless a read of the disk failed")
  func work() throws {
    let shop = try shop()
    try FileManager.default.createDirectory(at: shop.work, withIntermediateDirectories: true)
    let before = try FileManager.default.attributesOfItem(atPath: shop.work.path)[.systemFileNumber] as? Int
    #expect(try work(of: shop) == [])
    // The folder itself stays, because a worker has locked it.
    let after = try FileManager.default.attributesOfItem(atPath: shop.work.path)[.systemFileNumber] as? Int
    #expect(before == after)
    let kept = ["step-1.sqlite.partial"]
    #expect(try work(of: shop, whileWriting: false) == kept)
    #expect(try work(of: shop, fail: { DiskWatch.note(shop.source.path + "-wal", "read", EIO) }) == kept)
  }

  @Test("the result of an earlier run is removed if the store is refused")
  func earlierResult() throws {
    let shop = try shop()
    try shop.map("{ source: \"Note\", destination: \"Note\" }")
    var job = shop.job()
    job.notesResult = true
    _ = try Migration.run(job)
    #expect(FileManager.default.fileExists(atPath: shop.output.path))
    let told = attempts(shop, .damaged, whileWriting: true)
    #expect(told.count == 2)
    #expect(!FileManager.default.fileExists(atPath: shop.output.path))
  }

  @Test("families are read again only if the refusal may come from them, and only once")
  func shelf() throws {
    let shop = try shop()
    let shelf = CatalogueShelf { Int(Date().timeIntervalSince1970) + 60 }
    for (reason, isReadAgain) in [
      (FailureReason.damaged, false), (.notUnique, false), (.unknownVersion, true), (.unknownVersion, false),
    ] {
      _ = try shelf.catalogue(at: shop.catalogue)
      _ = shelf.hasNews
      #expect(
        attempts(shop, reason, whileWriting: false, shelf: shelf).count == 2 - (reason == .notUnique ? 1 : 0))
      _ = try shelf.catalogue(at: shop.catalogue)
      #expect(shelf.hasNews == isReadAgain, "\(reason)")
    }
  }
}
