import DecantTestSupport
import Foundation
import Synchronization
import Testing

@testable import DecantMigration
@testable import DecantReport

/// The delivery of very many external files.
@Suite("Very many external files") struct ExternalFilesTests {
  private static let version = "Note\n data Binary? external"
  /// Too many files for making them durable one by one.
  private static let count = 100

  private func shop() throws -> Workshop {
    let shop = try Workshop(Self.version, "\(Self.version)\n x String?")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZDATA) VALUES (1, 1, 1, x'01AABB')")
    for number in 0..<Self.count { try shop.folder.write("\(number)", to: "in/\(Self.name(number))") }
    return shop
  }

  private static func name(_ number: Int) -> String { ".Store_SUPPORT/_EXTERNAL_DATA/\(1000 + number)" }

  private func job(_ shop: Workshop, links: Bool = true) -> MigrationJob {
    var job = shop.job()
    job.linksExternalFiles = links
    job.finishBeat = 0
    return job
  }

  private func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  /// Runs a job that is stopped after `last` files.
  ///
  /// - Returns: The failure, and the numbers of delivered files that were reported.
  private func run(_ job: MigrationJob, until last: Int) -> (failure: MigrationFailure?, told: [Int]) {
    let told = Mutex<[Int]>([])
    let failure = #expect(throws: MigrationFailure.self) {
      try Migration.run(
        job, shouldStop: { told.withLock { $0.contains { $0 >= last } } },
        progress: { progress in
          guard let done = progress.filesDone else { return }
          #expect(progress.filesTotal == Self.count && progress.stage == .finish)
          told.withLock { $0.append(done) }
        })
    }
    return (failure, told.withLock { $0 })
  }

  @Test("a stop ends the delivery before the next file, and the next run doesn't link the linked files again")
  func stop() throws {
    let shop = try shop()
    let (failure, told) = run(job(shop), until: 40)
    #expect(failure?.disposition == .stopped)
    #expect(told == told.sorted() && Set(told) == Set(0...40))
    func linked() -> [timespec?] {
      (0..<Self.count).map { number in
        guard status(shop.folder.path("out/\(Self.name(number))")) != nil else { return nil }
        return status(shop.folder.path("in/\(Self.name(number))"))?.st_ctim
      }
    }
    let first = linked()
    #expect(first.map { $0 != nil } == (0..<Self.count).map { $0 < 40 })
    _ = try Migration.run(job(shop))
    // A new link would change the status time of the file.
    for (before, after) in zip(first, linked()) {
      #expect(after != nil)
      if let before { #expect(before.tv_sec == after?.tv_sec && before.tv_nsec == after?.tv_nsec) }
    }
    for number in 0..<Self.count {
      let own = status(shop.folder.path("in/\(Self.name(number))"))
      #expect(own?.st_nlink == 2 && own?.st_ino == status(shop.folder.path("out/\(Self.name(number))"))?.st_ino)
    }
  }

  @Test("a linked file that got another link between the runs is copied, and a foreign file is replaced")
  func furtherName() throws {
    let shop = try shop()
    _ = run(job(shop), until: 40)
    let (source, output) = (shop.folder.path("in/\(Self.name(7))"), shop.folder.path("out/\(Self.name(7))"))
    try #require(link(source, shop.folder.path("further")) == 0)
    try shop.folder.write("foreign", to: "out/\(Self.name(60))")
    _ = try Migration.run(job(shop))
    #expect(status(output)?.st_nlink == 1 && status(source)?.st_nlink == 2)
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "7")
    #expect(try String(contentsOfFile: shop.folder.path("out/\(Self.name(60))"), encoding: .utf8) == "60")
  }

  @Test("copies are reported and stopped in the same way, and are made again by the next run")
  func copies() throws {
    let shop = try shop()
    let (failure, told) = run(job(shop, links: false), until: 3)
    #expect(failure?.disposition == .stopped && told.last == 3)
    _ = try Migration.run(job(shop, links: false))
    for number in 0..<Self.count {
      #expect(status(shop.folder.path("out/\(Self.name(number))"))?.st_nlink == 1)
      #expect(
        try String(contentsOfFile: shop.folder.path("out/\(Self.name(number))"), encoding: .utf8) == "\(number)"
      )
    }
  }
}
