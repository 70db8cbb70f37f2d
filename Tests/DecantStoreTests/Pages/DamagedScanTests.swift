import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantStore

/// A scan never accepts a file that SQLite finds damaged.
@Suite("A scan of a damaged file") struct DamagedScanTests {
  private static let isWhole = ProcessInfo.processInfo.environment["DECANT_MATRIX"] == "whole"

  /// Random numbers that are the same in every run.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  /// An offset in a page where a changed byte is often damage: the header, the pointers to cells, the start of a cell.
  private static func place(_ data: Data, page: Int, size: Int, _ numbers: inout Numbers) -> Int {
    let start = page * size
    let header = start + (page == 0 ? 100 : 0)
    let count = Int(data[header + 3]) << 8 | Int(data[header + 4])
    switch Int.random(in: 0..<5, using: &numbers) {
    case 0: return header + Int.random(in: 0..<12, using: &numbers)
    case 1: return min(header + Int.random(in: 8..<60, using: &numbers), start + size - 1)
    case 2:
      let pointer = header + 8 + 2 * Int.random(in: 0...max(0, count - 1), using: &numbers)
      guard pointer + 1 < start + size else { return start }
      let cell = Int(data[pointer]) << 8 | Int(data[pointer + 1])
      return start + min(size - 1, cell + Int.random(in: 0..<12, using: &numbers))
    case 3: return Int.random(in: 0..<100, using: &numbers)
    default: return start + Int.random(in: 0..<size, using: &numbers)
    }
  }

  /// Whether a scan finds a file sound.
  ///
  /// If the scan accepts the file, SQLite must accept it, too, and count as many rows.
  private func passes(_ path: String, _ what: @autoclosure () -> String) throws -> Bool {
    let result: StoreScan?? = try? ScannedFile.scan(path)
    guard case .some(.some(let scan)) = result else { return false }
    #expect(ScannedFile.isSound(path), "\(what())")
    let database = try ScannedFile.open(path)
    for (table, tally) in scan.tables where tally.areNumbersKnown {
      let found = SourceRowCounts(tally, numbers: [1, 2, 3])
      let wanted = try SourceRowCounts(table, numbers: [1, 2, 3], in: database)
      #expect(found.total == wanted.total && found.byNumber == wanted.byNumber, "\(what())")
      #expect(found.leastKey == wanted.leastKey && found.greatestKey == wanted.greatestKey, "\(what())")
    }
    return true
  }

  @Test(
    "a scan accepts no file with changed bytes that SQLite finds damaged",
    arguments: ScannedFile.Form.all.filter { $0.pageSize <= (isWhole ? 65_536 : 4096) })
  func bytes(form: ScannedFile.Form) throws {
    let file = try ScannedFile(form)
    let sound = try Data(contentsOf: URL(fileURLWithPath: file.path))
    let changed = file.folder.path("changed.sqlite")
    var numbers = Numbers(state: UInt64(form.pageSize * 3 + form.vacuum) &* 0x9E37_79B9_7F4A_7C15)
    let rounds = Self.isWhole ? 1000 : 40
    var (found, passed) = (0, 0)
    for _ in 0..<rounds {
      var data = sound
      var what: [String] = []
      for _ in 0..<Int.random(in: 1...2, using: &numbers) {
        let page = Int.random(in: 0..<sound.count / form.pageSize, using: &numbers)
        let place = Self.place(data, page: page, size: form.pageSize, &numbers)
        data[place] =
          Bool.random(using: &numbers) ? data[place] &+ 1 : UInt8.random(in: 0...255, using: &numbers)
        what.append("page \(place / form.pageSize + 1), byte \(place % form.pageSize)")
      }
      try data.write(to: URL(fileURLWithPath: changed))
      if try passes(changed, "changed at \(what)") { passed += 1 }
      if !ScannedFile.isSound(changed) { found += 1 }
    }
    #expect(found > rounds / 12 && passed > rounds / 12, "\(found) damaged, \(passed) sound")
  }

  @Test("a scan of a file with each kind of damage has no result", arguments: DamageKind.allCases)
  func kinds(kind: DamageKind) throws {
    let forms = [(Self.isWhole ? 512 : 1024, 0), (512, 1), (4096, 2)].filter { size, vacuum in
      !(kind.needsMap && vacuum == 0) && !(kind.needsFreePages && vacuum == 1)
    }
    for (size, vacuum) in forms {
      let form = ScannedFile.Form(pageSize: size, vacuum: vacuum)
      let file = try ScannedFile(form)
      var pages = try DamagedPages(file.path)
      kind.apply(to: &pages)
      try pages.write(to: file.path)
      #expect(!ScannedFile.isSound(file.path), "\(form.testDescription)")
      #expect(try !passes(file.path, form.testDescription), "\(form.testDescription)")
    }
  }

  @Test("the refusal of a damaged store is the same during the migration as before it")
  func refusals() throws {
    let sample = try SampleStore(notes: 40_000)
    let sound = try sample.bytes
    try #require(sound.count > SourceChecks.smallest)
    #expect(Self.refusal(of: sample, beside: true) == nil)
    let kinds: [DamageKind] =
      Self.isWhole
      ? DamageKind.allCases.filter { !$0.needsFreePages && !$0.needsOverflow }
      : [.cutPage, .zeroLeaf, .keyOrder, .mapParent]
    for kind in kinds {
      try sample.write(sound)
      var pages = try DamagedPages(sample.path, rootNames: ["ZNOTE_TEXT": "ZNOTE_ZFOLDER_INDEX"])
      kind.apply(to: &pages)
      try sample.write(pages.data)
      let before = Self.refusal(of: sample, beside: false)
      #expect(before != nil, "\(kind)")
      #expect(Self.refusal(of: sample, beside: true) == before, "\(kind)")
    }
  }

  @Test("the refusal says what is wrong with the pages, even if another check has failed before")
  func otherFailure() throws {
    let sample = try SampleStore(notes: 40_000)
    var pages = try DamagedPages(sample.path)
    DamageKind.zeroLeaf.apply(to: &pages)
    try sample.write(pages.data)
    let store = try SourceStore(sample.path, scratch: sample.folder.path("scratch"), isCheckedBeside: true)
    try store.check { _ throws(StoreError) in throw .notCoreData(path: sample.path, missing: "anything") }
    let error = #expect(throws: StoreError.self) { try store.finishChecks { true } }
    #expect(error?.description == Self.refusal(of: sample, beside: false))
  }

  private static func refusal(of sample: SampleStore, beside: Bool) -> String? {
    do {
      let store = try SourceStore(sample.path, scratch: sample.folder.path("scratch"), isCheckedBeside: beside)
      try store.finishChecks { true }
      return nil
    } catch {
      return error.description
    }
  }
}
