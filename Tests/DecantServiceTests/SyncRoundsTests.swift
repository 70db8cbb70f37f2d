import Dispatch
import Glibc
import Synchronization
import Testing

@testable import DecantService

/// What several callers make durable together.
@Suite("Rounds of fsync")
struct SyncRoundsTests {
  /// Stands for a disk: it holds back whoever waits for it, until it is let go.
  final class Disk: Sendable {
    struct Book {
      var singles = 0
      var rounds = 0
      /// What callers had written when the last round began.
      var covered: Set<Int> = []
      var written: Set<Int> = []
      var code: Int32 = 0
    }

    let book = Mutex(Book())
    let single = DispatchSemaphore(value: 0)
    let round = DispatchSemaphore(value: 0)

    func rounds(tooLong: Duration = .seconds(3600)) -> SyncRounds {
      SyncRounds(
        name: "disk", tooLong: tooLong,
        each: { (_) throws(FileFailure) in
          self.book.withLock { $0.singles += 1 }
          self.single.wait()
        },
        whole: {
          let code = self.book.withLock { book in
            book.rounds += 1
            book.covered = book.written
            return book.code
          }
          self.round.wait()
          return code
        })
    }

    func meets(_ condition: (Book) -> Bool) -> Bool {
      for _ in 0..<60_000 {
        if book.withLock({ condition($0) }) { return true }
        usleep(1000)
      }
      return false
    }
  }

  /// Callers in threads of their own, and what each was told.
  final class Callers: Sendable {
    private let group = DispatchGroup()
    let outcomes = Mutex<[Int: Int32]>([:])
    /// Those of them whom a round has served that hadn't covered what they had written.
    let uncovered = Mutex(0)

    func call(_ number: Int, _ rounds: SyncRounds, _ disk: Disk) throws {
      let folder = try FolderHandle(path: "/")
      group.enter()
      DispatchQueue(label: "caller").async {
        disk.book.withLock { _ = $0.written.insert(number) }
        var code: Int32 = 0
        do throws(FileFailure) { try rounds.settle([.folder(folder)]) } catch { code = error.code }
        self.outcomes.withLock { $0[number] = code }
        self.group.leave()
      }
    }

    func finish() { group.wait() }
    func count(_ number: Int) -> Bool {
      for _ in 0..<60_000 {
        if outcomes.withLock({ $0.count }) >= number { return true }
        usleep(1000)
      }
      return false
    }
  }

  @Test("who waits alone is served item by item, and without a file system that holds out everybody is")
  func alone() throws {
    let disk = Disk()
    let callers = Callers()
    let rounds = disk.rounds()
    for number in 0..<3 {
      try callers.call(number, rounds, disk)
      #expect(disk.meets { $0.singles == number + 1 })
      disk.single.signal()
      #expect(callers.count(number + 1))
    }
    let served = Mutex(0)
    let others = SyncRounds(name: "disk", each: { _ in served.withLock { $0 += 1 } }, whole: nil)
    for number in 3..<9 { try callers.call(number, others, disk) }
    callers.finish()
    #expect(served.withLock { $0 } == 6)
    #expect(disk.book.withLock { $0.rounds } == 0)
  }

  @Test("enough of those who wait begin a round beside one who takes long, and it holds what they have written")
  func beside() throws {
    let disk = Disk()
    let callers = Callers()
    let rounds = disk.rounds()
    try callers.call(0, rounds, disk)
    #expect(disk.meets { $0.singles == 1 })
    try callUntilRound(rounds, disk, callers)
    let covered = disk.book.withLock { $0.covered }
    #expect(covered.count >= SyncRounds.enough)
    #expect(callers.outcomes.withLock { $0.isEmpty })
    disk.round.signal()
    #expect(callers.count(SyncRounds.enough))
    #expect(callers.outcomes.withLock { $0.keys.allSatisfy(covered.contains) })
    for _ in 0..<1000 {
      disk.round.signal()
      disk.single.signal()
    }
    callers.finish()
  }

  @Test("who comes while a round is under way is not served by it, but by one that begins later")
  func later() throws {
    let disk = Disk()
    let rounds = disk.rounds()
    let callers = Callers()
    try startRound(rounds, disk, callers)
    let first = disk.book.withLock { $0.covered }
    let begun = callers.outcomes.withLock { $0.count }
    #expect(begun == 0)
    for number in 1000..<1008 { try callers.call(number, rounds, disk) }
    #expect(disk.meets { book in (1000..<1008).allSatisfy(book.written.contains) })
    disk.round.signal()
    for _ in 0..<2000 {
      disk.round.signal()
      disk.single.signal()
    }
    callers.finish()
    #expect(first.isDisjoint(with: 1000..<1008))
    #expect(callers.outcomes.withLock { $0.values.allSatisfy { $0 == 0 } })
    #expect(disk.book.withLock { $0.rounds + $0.singles } >= 3)
  }

  @Test("a round that fails fails for all in it; one who loses patience goes its own way beside it")
  func failing() throws {
    let disk = Disk()
    disk.book.withLock { $0.code = EIO }
    let rounds = disk.rounds()
    let callers = Callers()
    try startRound(rounds, disk, callers)
    let singles = disk.book.withLock { $0.singles }
    try callers.call(5000, rounds, disk)
    // The round still holds: nobody leads this one.
    #expect(disk.meets { $0.singles > singles })
    disk.book.withLock { $0.code = 0 }
    disk.round.signal()
    for _ in 0..<2000 {
      disk.round.signal()
      disk.single.signal()
    }
    callers.finish()
    let failed = callers.outcomes.withLock { $0.filter { $0.value == EIO } }
    #expect(failed.count >= SyncRounds.enough)
    #expect(failed[0] == nil && failed[5000] == nil)
  }

  @Test("after a round that took long everybody goes its own way for a while")
  func rest() throws {
    let disk = Disk()
    let rounds = disk.rounds(tooLong: .zero)
    let callers = Callers()
    try startRound(rounds, disk, callers)
    for _ in 0..<2000 {
      disk.round.signal()
      disk.single.signal()
    }
    callers.finish()
    let before = disk.book.withLock { $0.rounds }
    let others = Callers()
    for number in 6000..<6032 { try others.call(number, rounds, disk) }
    others.finish()
    #expect(disk.book.withLock { $0.rounds } == before)
    #expect(others.outcomes.withLock { $0.count } == 32)
  }

  /// One caller item by item, and others until a round has begun; both are held back.
  private func startRound(_ rounds: SyncRounds, _ disk: Disk, _ callers: Callers) throws {
    try callers.call(0, rounds, disk)
    #expect(disk.meets { $0.singles == 1 })
    try callUntilRound(rounds, disk, callers)
  }

  /// Some may lose their patience before the others have come; the round needs some who haven't.
  private func callUntilRound(_ rounds: SyncRounds, _ disk: Disk, _ callers: Callers) throws {
    var number = 0
    while disk.book.withLock({ $0.rounds }) == 0, number < 900 {
      number += 1
      try callers.call(number, rounds, disk)
      usleep(1000)
    }
    #expect(disk.meets { $0.rounds == 1 })
  }

  @Test("every caller's writing is held by the round that serves it, however they come")
  func many() throws {
    let book = Mutex<(written: Set<Int>, covered: Set<Int>, rounds: Int)>(([], [], 0))
    let wrong = Mutex<[Int]>([])
    let own = Mutex<Set<Int>>([])
    let rounds = SyncRounds(
      name: "disk", tooLong: .seconds(3600),
      each: { (_) throws(FileFailure) in
        usleep(300)
        // Told apart from what a round does by an error of its own.
        throw FileFailure("fsync", "alone", ENOTTY)
      },
      whole: {
        let seen = book.withLock { $0.written }
        usleep(500)
        book.withLock { book in
          book.covered.formUnion(seen)
          book.rounds += 1
        }
        return 0
      })
    let folder = try FolderHandle(path: "/")
    DispatchQueue.concurrentPerform(iterations: 12) { caller in
      for turn in 0..<60 {
        let number = caller * 1000 + turn
        book.withLock { _ = $0.written.insert(number) }
        do throws(FileFailure) {
          try rounds.settle([.folder(folder)])
          if !book.withLock({ $0.covered.contains(number) }) { wrong.withLock { $0.append(number) } }
        } catch {
          own.withLock { _ = $0.insert(number) }
        }
      }
    }
    #expect(wrong.withLock { $0.isEmpty })
    #expect(book.withLock { $0.written.count } == 720)
    #expect(own.withLock { $0.count } <= 720)
  }

  @Test("the kernel's release tells whether it tells of writes that have failed")
  func kernels() {
    for release in ["5.8.0", "6.1.0-18-amd64", "5.10.0-28-cloud-amd64", "10.0"] {
      #expect(FileSystemSync.tellsOfErrors(release), "\(release)")
    }
    for release in ["5.7.19", "4.19.0-26-amd64", "2.6.32", "", "linux", "5"] {
      #expect(!FileSystemSync.tellsOfErrors(release), "\(release)")
    }
  }

  @Test("a file system in memory has no rounds; one that has makes everything durable at once")
  func kinds() throws {
    let memory = try TemporaryFolder(inMemory: true)
    #expect(FileSystemSync(of: try FolderHandle(path: memory.path)) == nil)
    let folder = try TemporaryFolder()
    if let sync = FileSystemSync(of: try FolderHandle(path: folder.path)) { #expect(sync.run() == 0) }
  }
}
