import DecantSQLite
import Foundation
import Synchronization
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Rows of no entity: the copy without these rows") struct StrayCopyTests {
  private static func copy(_ shop: Workshop) -> String {
    shop.work.appendingPathComponent("copy/rest.sqlite").path
  }

  @Test("a stop during the copying ends the run, and no part of the copy stays") func stopped() throws {
    let shop = try StrayShop.shop()
    let copy = Self.copy(shop)
    let failure = #expect(throws: MigrationFailure.self) {
      try Migration.run(
        shop.job(), shouldStop: { FileManager.default.fileExists(atPath: copy) })
    }
    #expect(failure?.reason == .stopped && failure?.disposition == .stopped, "\(String(describing: failure))")
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(try shop.withoutStrays().lines == StrayShop.lines)
  }

  @Test("the preparation calls its closure often while a large store is copied") func beats() throws {
    let shop = try StrayShop.shop()
    truncate(shop.source.path, 40 << 20)
    let copy = Self.copy(shop)
    let sizes = Mutex<Set<Int>>([])
    let preparation = JobPreparation(job: shop.job()) {
      var status = stat()
      if stat(copy, &status) == 0 { sizes.withLock { _ = $0.insert(Int(status.st_size)) } }
      return true
    }
    _ = try preparation.prepare()
    #expect(sizes.withLock { $0.count } > 5)
  }

  @Test("during the copying, SQLite's temporary files are in the work folder") func temporaries() throws {
    let isSeen = Mutex(false)
    // The whole process has one such folder, so jobs of other tests may change it in between.
    for _ in 1...20 where !isSeen.withLock({ $0 }) {
      let shop = try StrayShop.shop()
      let (copy, work) = (Self.copy(shop), shop.work.path)
      let preparation = JobPreparation(job: shop.job()) {
        guard FileManager.default.fileExists(atPath: copy) else { return true }
        let folder = try? SQLiteDatabase(shop.source.path, mode: .immutable).rows("PRAGMA temp_store_directory")
        if folder == [[.text(work)]] { isSeen.withLock { $0 = true } }
        return true
      }
      _ = try preparation.prepare()
    }
    #expect(isSeen.withLock { $0 })
  }

  @Test("if the disk is too small for the copy, the job can be tried again") func diskTooSmall() throws {
    let shop = try StrayShop.shop()
    // The store gets 8 TiB of zeros after its last page.
    truncate(shop.source.path, 8 << 40)
    let calls = Stopper(after: 200)
    let failure = #expect(throws: MigrationFailure.self) {
      try Migration.run(shop.job(), shouldStop: calls.shouldStop)
    }
    #expect(failure?.reason == .noRoom && failure?.disposition == .retry, "\(String(describing: failure))")
    #expect(failure?.message.hasPrefix("\(shop.work.path) has ") == true)
    #expect(!FileManager.default.fileExists(atPath: Self.copy(shop)))
  }
}
