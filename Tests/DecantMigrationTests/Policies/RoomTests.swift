import DecantPolicies
import Foundation
import Synchronization
import Testing

@testable import DecantEngine
@testable import DecantMigration
@testable import DecantRows

/// The disk becomes full while a policy runs and rows are written in the background.
@Suite("Policies: a full disk", .serialized) struct RoomTests {
  /// Copies texts.
  ///
  /// In the middle of a batch, it limits the working file to a few more pages.
  final class Filling: EntityMigrationPolicy {
    static let hasRoom = Mutex(true)

    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      if sInstance.objectID.key == 1_300, !Self.hasRoom.withLock({ $0 }),
        let session = manager.runtime as? RowSession
      {
        session.destination.writer.wait()
        let pages = try session.database.integer("PRAGMA main.page_count")
        _ = try session.database.rows("PRAGMA main.max_page_count=\(pages + 8)")
      }
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }
  }

  private static func shop() throws -> Workshop {
    var shop = try Workshop("Note\n text String?", "Note\n text String?\n more String?")
    shop.policies.add(Filling.self)
    try shop.map("{ source: \"Note\", destination: \"Note\", policy: \"Filling\" }")
    try shop.makeStore(
      "WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 4000) INSERT INTO ZNOTE "
        + "(Z_PK, Z_ENT, Z_OPT, ZTEXT) SELECT k, 1, 1, printf('%0400d', k) FROM n")
    return shop
  }

  @Test(
    "without space for the rows of a batch or a chunk nothing is delivered; with space the work continues",
    arguments: [nil, 500, 5_000])
  func noRoom(size: Int?) throws {
    Filling.hasRoom.withLock { $0 = true }
    defer { Filling.hasRoom.withLock { $0 = true } }
    let whole = try Self.shop()
    let expected = try whole.finished(try Migration.run(whole.job(chunkSize: size)))

    let shop = try Self.shop()
    Filling.hasRoom.withLock { $0 = false }
    let failure = try shop.failure(chunkSize: size)
    #expect(failure.reason == .noRoom && failure.disposition == .retry, "\(failure)")
    #expect(failure.message.hasPrefix("There is no free space left: "), "\(failure)")
    #expect(failure.message.contains("step-1.sqlite.partial"), "\(failure)")
    // If there is still no space, the second attempt has the same failure.
    #expect(try shop.failure(chunkSize: size).reason == .noRoom)

    Filling.hasRoom.withLock { $0 = true }
    let result = try shop.finished(try Migration.run(shop.job(chunkSize: size)))
    #expect(result.lines == expected.lines)
    #expect(result.report.steps.map(\.entities) == expected.report.steps.map(\.entities))
    #expect(size != 500 || result.report.steps[0].resumedChunks > 1)
    let associations = try [whole, shop].map { shop in
      try PlainSQLite.dump(KeptAssociations.place(beside: shop.output)).filter { !$0.hasPrefix("steps") }
    }
    #expect(associations[0] == associations[1])
  }
}
