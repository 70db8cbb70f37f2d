import DecantStore
import DecantTestSupport
import Foundation
import Testing

@Suite("Damaged stores", .serialized)
struct DamagedStoreTests {
  @Test("a file that is cut off at every page, in the middle of every page, and at small lengths")
  func truncation() throws {
    let sample = try SampleStore()
    let bytes = try sample.bytes
    let pages = stride(from: 0, to: bytes.count, by: 4096)
    let lengths =
      pages.flatMap { [$0, $0 + 1, $0 + 2048, $0 + 4095] }.filter { $0 < bytes.count } + [15, 16, 99, 100]
    for length in lengths {
      try sample.write(bytes.prefix(length))
      let error = try #require(sample.refusal(), "opened with \(length) bytes")
      #expect(!error.mayGetBetter, "\(length): \(error)")
      if length > 100 {
        #expect(error == .truncated(path: sample.path, expected: bytes.count, actual: length))
      }
    }
  }

  @Test("if the header doesn't have the number of pages, the check of the pages finds the truncation")
  func truncationWithoutCount() throws {
    let sample = try SampleStore()
    var bytes = try sample.bytes
    bytes.replaceSubrange(28..<32, with: [0, 0, 0, 0])
    for length in stride(from: 4096, to: bytes.count, by: 4096) {
      try sample.write(bytes.prefix(length))
      let error = try #require(sample.refusal(), "opened with \(length) bytes")
      #expect(!error.mayGetBetter, "\(length): \(error)")
    }
  }

  @Test("bytes after the last page are ignored")
  func appended() throws {
    let sample = try SampleStore()
    try sample.write(sample.bytes + Data(repeating: 7, count: 5000))
    #expect(try sample.count("ZNOTE", in: sample.open()) == 120)
  }

  @Test(
    "for each flipped bit of the header, the store can be read or is refused for good", .timeLimit(.minutes(5))
  )
  func headerBits() throws {
    let sample = try SampleStore(notes: 30)
    try flip((0..<800), in: sample)
  }

  @Test(
    "for flipped bits in all pages, the store can be read or is refused for good", .timeLimit(.minutes(5))
  )
  func pageBits() throws {
    let sample = try SampleStore(notes: 30)
    var state: UInt64 = 20_260_101
    let count = try sample.bytes.count * 8
    let bits = (0..<500).map { _ -> Int in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 20) % count
    }
    // Damage in the b-tree headers of pages is the most dangerous.
    let heads = stride(from: 4096, to: count / 8, by: 4096).flatMap { page in (0..<96).map { page * 8 + $0 } }
    try flip(bits + heads, in: sample)
  }

  private func flip(_ bits: some Sequence<Int>, in sample: SampleStore) throws {
    let bytes = try sample.bytes
    for bit in bits {
      var copy = bytes
      copy[bit / 8] ^= 1 << UInt8(bit % 8)
      try sample.write(copy)
      do {
        try sample.open(seconds: 20)
      } catch let error as StoreError {
        #expect(!error.mayGetBetter, "bit \(bit): \(error)")
        #expect(error.description.contains(sample.path), "bit \(bit): \(error)")
      }
    }
  }

  @Test("pages that are overwritten with zeros or ones")
  func overwritten() throws {
    let sample = try SampleStore()
    let bytes = try sample.bytes
    for page in 1..<(bytes.count / 4096) {
      for byte in [0x00, 0xff] as [UInt8] {
        var copy = bytes
        copy.replaceSubrange((page * 4096)..<((page + 1) * 4096), with: Data(repeating: byte, count: 4096))
        try sample.write(copy)
        if let error = sample.refusal() { #expect(!error.mayGetBetter, "page \(page): \(error)") }
      }
    }
  }

  @Test("a table whose pages form a circle")
  func circle() throws {
    let sample = try SampleStore(notes: 2000)
    var bytes = try sample.bytes
    var changed = 0
    for page in 1..<(bytes.count / 4096) where bytes[page * 4096] == 0x05 {
      // The rightmost child of an interior page becomes the page itself.
      let number = UInt32(page + 1)
      bytes.replaceSubrange(
        (page * 4096 + 8)..<(page * 4096 + 12), with: withUnsafeBytes(of: number.bigEndian) { Data($0) })
      changed += 1
    }
    #expect(changed > 0)
    try sample.write(bytes)
    #expect(sample.refusal().map(\.kind) == "damaged")
  }
}
