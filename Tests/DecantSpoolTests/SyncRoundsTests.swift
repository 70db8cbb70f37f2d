import DecantTestSupport
import Dispatch
import Glibc
import Synchronization
import Testing

@testable import DecantSpool

/// Rounds in which several callers make their files durable together.
@Suite("Rounds of fsync")
struct SyncRoundsTests {
  /// Simulates a disk, which keeps its callers waiting until the test releases them.
  final class Disk: Sendable {
    struct Book {
      var singles = 0
      var rounds = 0
      /// The callers that had written when the last round began.
      var covered: Set<Int> = []
      var written: Set<Int> = []
      var code: Int32 = 0
    }

    let book = Mutex(Book())
    let single = DispatchSemaphore(value: 0)
    let round = DispatchSemaphore(value: 0)

    func rounds(
      tooLong: Duration = .seconds(3600), patience: DispatchTimeInterval = .seconds(600)
    ) -> SyncRounds {
      SyncRounds(
        tooLong: tooLong, patience: patience,
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

  /// Callers in separate threads, with the errno of each, or 0.
  final class Callers: Sendable {
    private let group = DispatchGroup()
    let outcomes = Mutex<[Int: Int32]>([:])

    func call(_ number: Int, _ rounds: SyncRounds, _ disk: Disk) throws {
      let folder = try FolderHandle(path: "/")
      group.enter()
      DispatchQueue(label: "caller").async {
        disk.book.withLock { _ = $0.written.insert(number) }
        var code: Int32 = 0
        do throws(FileFailure) {
          try Self.settle(rounds, folder)
        } catch {
          code = error.code
        }
        self.outcomes.withLock { $0[number] = code }
        self.group.leave()
      }
    }

    /// Calls `settle` as a disk queue does, where callers may share a round.
    static func settle(_ rounds: SyncRounds, _ folder: FolderHandle) throws(FileFailure) {
      var failure: FileFailure?
      SyncRounds.$isShared.withValue(true) {
        do throws(FileFailure) { try rounds.settle([.folder(folder)]) } catch { failure = error }
      }
      if let failure { throw failure }
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

  @Test("a single caller syncs its own items; without a file system for rounds all callers do")
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
    let others = SyncRounds(each: { _ in served.withLock { $0 += 1 } }, whole: nil)
    for number in 3..<9 { try callers.call(number, others, disk) }
    callers.finish()
    #expect(served.withLock { $0 } == 6)
    #expect(disk.book.withLock { $0.rounds } == 0)
  }

  @Test("the daemon's main loop never waits for a round")
  func loop() throws {
    let disk = Disk()
    let rounds = disk.rounds()
    let callers = Callers()
    try startRound(rounds, disk, callers)
    let singles = disk.book.withLock { $0.singles }
    disk.single.signal()
    disk.single.signal()
    try rounds.settle([.folder(try FolderHandle(path: "/"))])
    #expect(disk.book.withLock { $0.singles } == singles + 1)
    release(disk)
    callers.finish()
  }

  @Test("enough waiting callers begin a round for all their files, beside a slow caller")
  func beside() throws {
    let disk = Disk()
    let callers = Callers()
    let rounds = disk.rounds()
    try startRound(rounds, disk, callers)
    let covered = disk.book.withLock { $0.covered }
    #expect(covered.isSuperset(of: 0...SyncRounds.enough))
    #expect(callers.outcomes.withLock { $0.isEmpty })
    disk.round.signal()
    #expect(callers.count(SyncRounds.enough))
    // The caller from before the round still waits for the disk.
    #expect(callers.outcomes.withLock { Set($0.keys) } == Set(1...SyncRounds.enough))
    release(disk)
    callers.finish()
  }

  @Test("a caller that comes during a round is served by the next round")
  func later() throws {
    let disk = Disk()
    let rounds = disk.rounds()
    let callers = Callers()
    try startRound(rounds, disk, callers)
    for number in 1000..<1008 { try callers.call(number, rounds, disk) }
    #expect(disk.meets { book in (1000..<1008).allSatisfy(book.written.contains) })
    disk.round.signal()
    // The first round's callers continue. The next round begins with the other callers' files.
    #expect(disk.meets { $0.rounds == 2 })
    #expect(callers.count(SyncRounds.enough))
    #expect(callers.outcomes.withLock { $0.keys.allSatisfy { $0 < 1000 } })
    #expect(disk.book.withLock { book in (1000..<1008).allSatisfy(book.covered.contains) })
    release(disk)
    callers.finish()
    #expect(callers.outcomes.withLock { $0.count } == 1 + SyncRounds.enough + 8)
    #expect(callers.outcomes.withLock { $0.values.allSatisfy { $0 == 0 } })
  }

  @Test("a failed round is an error for all its callers, and there are no rounds after it")
  func failing() throws {
    let disk = Disk()
    disk.book.withLock { $0.code = EIO }
    let rounds = disk.rounds()
    let callers = Callers()
    try startRound(rounds, disk, callers)
    try callers.call(5000, rounds, disk)
    disk.round.signal()
    #expect(callers.count(SyncRounds.enough))
    // The later caller syncs its own files.
    #expect(disk.meets { $0.singles == 2 })
    disk.book.withLock { $0.code = 0 }
    for number in 6000..<6016 { try callers.call(number, rounds, disk) }
    #expect(disk.meets { $0.singles == 2 + 16 })
    release(disk)
    callers.finish()
    #expect(disk.book.withLock { $0.rounds } == 1)
    let failed = callers.outcomes.withLock { $0.filter { $0.value == EIO }.keys }
    #expect(Set(failed) == Set(1...SyncRounds.enough))
    #expect(!rounds.all())
  }

  @Test(
    "all() makes everything durable; after one failure it tries again, and two failures end the rounds")
  func all() throws {
    let codes = Mutex<[Int32]>([])
    let rounds = SyncRounds { codes.withLock { $0.popLast() ?? 0 } }
    #expect(rounds.all())
    codes.withLock { $0 = [EIO] }
    #expect(rounds.all())
    codes.withLock { $0 = [EPERM, EPERM] }
    #expect(!rounds.all())
    #expect(!rounds.all())
    #expect(!SyncRounds(whole: nil).all())
  }

  @Test("a caller that has waited long enough for others syncs alone, beside other callers")
  func impatient() throws {
    let disk = Disk()
    let rounds = disk.rounds(patience: .milliseconds(1))
    let callers = Callers()
    try callers.call(0, rounds, disk)
    #expect(disk.meets { $0.singles == 1 })
    try callers.call(1, rounds, disk)
    #expect(disk.meets { $0.singles == 2 })
    release(disk)
    callers.finish()
    #expect(disk.book.withLock { $0.rounds } == 0)
  }

  @Test("after a slow round all callers sync separately for a while, also those that are already waiting")
  func rest() throws {
    let disk = Disk()
    let rounds = disk.rounds(tooLong: .zero)
    let callers = Callers()
    try startRound(rounds, disk, callers)
    for number in 5000..<5008 { try callers.call(number, rounds, disk) }
    #expect(disk.meets { book in (5000..<5008).allSatisfy(book.written.contains) })
    release(disk)
    callers.finish()
    let others = Callers()
    for number in 6000..<6032 { try others.call(number, rounds, disk) }
    others.finish()
    #expect(disk.book.withLock { $0.rounds } == 1)
    #expect(others.outcomes.withLock { $0.count } == 32)
  }

  /// Starts one caller that syncs alone, and then enough callers for a round, which all wait for the disk.
  private func startRound(_ rounds: SyncRounds, _ disk: Disk, _ callers: Callers) throws {
    try callers.call(0, rounds, disk)
    #expect(disk.meets { $0.singles == 1 })
    for number in 1...SyncRounds.enough { try callers.call(number, rounds, disk) }
    #expect(disk.meets { $0.rounds == 1 })
  }

  private func release(_ disk: Disk) {
    for _ in 0..<200 {
      disk.round.signal()
      disk.single.signal()
    }
  }

  @Test("a single caller with very many files uses a round, and this round doesn't count as slow")
  func large() throws {
    let disk = Disk()
    let rounds = disk.rounds(tooLong: .zero)
    let folder = try TemporaryFolder()
    for number in 0..<SyncRounds.most { try folder.write("", to: "many/in/\(number)") }
    for number in 0..<3 { try folder.write("", to: "few/in/\(number)") }
    func settle(_ name: String) throws {
      let item = SyncItem.tree(name, in: try FolderHandle(path: folder.url.path))
      try SyncRounds.$isShared.withValue(true) { try rounds.settle([item]) }
    }
    disk.single.signal()
    try settle("few")
    disk.round.signal()
    try settle("many")
    #expect(disk.book.withLock { ($0.singles, $0.rounds) } == (1, 1))
    // After a slow round, callers with few files sync their own items, and those with many files use a round.
    let callers = Callers()
    disk.book.withLock { $0 = Disk.Book() }
    try startRound(rounds, disk, callers)
    release(disk)
    callers.finish()
    try settle("few")
    let book = disk.book.withLock { $0 }
    try settle("many")
    #expect(disk.book.withLock { ($0.singles, $0.rounds) } == (book.singles, book.rounds + 1))
    // After a failure there are no rounds any more.
    disk.book.withLock { $0.code = EIO }
    #expect(throws: FileFailure.self) { try settle("many") }
    disk.single.signal()
    try settle("many")
    #expect(disk.book.withLock { $0.singles } == book.singles + 1)
  }

  @Test("files and folders are counted up to the limit")
  func counting() throws {
    let folder = try TemporaryFolder()
    for name in ["a/1", "a/2", "a/b/3", "c"] { try folder.write("", to: name) }
    let handle = try FolderHandle(path: folder.url.path)
    func count(_ items: [SyncItem], _ limit: Int = 100) -> Int { SyncItem.count(items, atMost: limit) }
    #expect(count([.tree("a", in: handle)]) == 5)
    #expect(
      count([.tree("a", in: handle), .tree("c", in: handle), .folder(handle), .file("c", in: handle)]) == 8)
    #expect(count([.tree("a", in: handle)], 4) == 4)
    #expect(count([.tree("none", in: handle)]) == 1)
  }

  @Test("what a caller wrote before its call is always in the round that serves it")
  func many() throws {
    let book = Mutex<(written: Set<Int>, covered: Set<Int>, rounds: Int)>(([], [], 0))
    let wrong = Mutex<[Int]>([])
    let rounds = SyncRounds(
      tooLong: .seconds(3600),
      each: { (_) throws(FileFailure) in
        usleep(300)
        // This error shows that the caller isn't served by a round.
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
    let group = DispatchGroup()
    for caller in 0..<12 {
      DispatchQueue(label: "caller").async(group: group) {
        for turn in 0..<60 {
          let number = caller * 1000 + turn
          book.withLock { _ = $0.written.insert(number) }
          do throws(FileFailure) {
            try Callers.settle(rounds, folder)
            if !book.withLock({ $0.covered.contains(number) }) { wrong.withLock { $0.append(number) } }
          } catch {
            // The caller wasn't served by a round.
          }
        }
      }
    }
    group.wait()
    #expect(wrong.withLock { $0.isEmpty })
    #expect(book.withLock { $0.written.count } == 720)
    #expect(book.withLock { $0.rounds } > 0)
  }
}
