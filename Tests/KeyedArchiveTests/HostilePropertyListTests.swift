import Foundation
import KeyedArchive
import Testing

@Suite("Binary property lists of unknown origin: an error or a value, never a crash")
struct HostilePropertyListTests {
  private static let sample = PropertyList.dictionary([
    "NSStoreType": .string("SQLite"), "hashes": .dictionary(["Nota": .data(Data(repeating: 9, count: 32))]),
    "versions": .array([.string("uno"), .string("señal"), .integer(300), .integer(-1)]), "flag": .boolean(true),
    "real": .real(2.5), "date": .date(1), "uid": .uid(700), "long": .data(Data(repeating: 1, count: 20)),
  ])

  @Test("a list that is cut off at any byte is refused")
  func truncation() {
    let data = Self.sample.binaryData()
    for length in 0..<data.count {
      #expect(throws: PropertyListError.self, "\(length) bytes") {
        try PropertyList(parsing: data.prefix(length))
      }
    }
  }

  @Test("a list with any bit flipped, or with any byte 0, 0x7f, 0x80 or 0xff, is read or refused")
  func flips() throws {
    let data = Self.sample.binaryData()
    var values = 0
    for index in 0..<data.count {
      let changes = (0..<8).map { data[index] ^ UInt8(1 << $0) } + [0, 0x7f, 0x80, 0xff]
      for byte in changes {
        var copy = data
        copy[index] = byte
        if (try? PropertyList(parsing: copy)) != nil { values += 1 }
      }
    }
    // A changed string or number gives another value. A changed structure is refused.
    #expect(values > 500)
  }

  @Test("an array that contains itself, directly or through others, is refused")
  func cycles() {
    #expect(throws: PropertyListError.cycle(object: 0)) { try RawList([0xA1, 0]).parse() }
    #expect(throws: PropertyListError.cycle(object: 0)) {
      try RawList([0xA1, 1], [0xA1, 2], [0xA1, 0]).parse()
    }
    #expect(throws: PropertyListError.cycle(object: 1)) {
      try RawList([0xA1, 1], [0xD1, 2, 1], [0x51, 0x61]).parse()
    }
  }

  @Test("shared arrays that expand to too many values are refused")
  func valueBomb() {
    let levels = (0..<20).map { [0xAA] + [UInt8](repeating: UInt8($0 + 1), count: 10) }
    #expect(throws: PropertyListError.tooManyObjects(limit: 2_000_000)) {
      try RawList(objects: levels + [[0x09]]).parse()
    }
  }

  @Test(
    "shared data and strings that expand to too many bytes are refused",
    arguments: [0x4F, 0x5F, 0x6F] as [UInt8])
  func byteBomb(marker: UInt8) {
    let big = [marker, 0x12] + RawList.bigEndian(50_000, size: 4) + [UInt8](repeating: 0x41, count: 100_000)
    let array = [0xAF, 0x11] + RawList.bigEndian(1000, size: 2) + [UInt8](repeating: 1, count: 1000)
    var list = RawList(array, big)
    list.offsetSize = 4
    #expect(throws: PropertyListError.tooManyBytes(limit: 1_000_000)) {
      try list.parse(PropertyListLimits(maximumBytes: 1_000_000))
    }
  }

  @Test("a list nested up to the limit is read, and a deeper one is refused")
  func depth() throws {
    func nested(_ levels: Int) -> RawList {
      var list = RawList(objects: (0..<levels).map { [0xA1] + RawList.bigEndian($0 + 1, size: 4) } + [[0x09]])
      list.referenceSize = 4
      list.offsetSize = 4
      return list
    }
    #expect(throws: PropertyListError.tooDeep(limit: 256)) { try nested(100_000).parse() }
    #expect(throws: PropertyListError.tooDeep(limit: 256)) { try nested(257).parse() }
    _ = try nested(256).parse()
  }

  static let hugeCounts: [[UInt8]] = [
    [0x4F, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    [0x4F, 0x13, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    [0xAF, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0xDF, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0],
    [0x5F, 0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [0x6F, 0x12, 0x80, 0, 0, 0], [0x4F, 0x1f],
    [0x4F, 0x23],
    [0x5E, 0x41], [0x4F], [0x67, 0x41], [0xA9, 0], [0xD2, 0, 0, 0],
  ]

  @Test("counts that lead beyond the file are refused", arguments: hugeCounts)
  func counts(object: [UInt8]) {
    #expect(throws: PropertyListError.self) { try RawList(object).parse() }
  }

  @Test(
    "objects of an unknown kind are refused",
    arguments: [0x01, 0x07, 0x0a, 0x0f, 0x15, 0x20, 0x21, 0x24, 0x30, 0x34, 0x70, 0x8f, 0x90, 0xB0, 0xE0, 0xF0]
      as [UInt8])
  func unknownKinds(marker: UInt8) {
    #expect(throws: PropertyListError.self) { try RawList([marker] + [UInt8](repeating: 0, count: 40)).parse() }
  }

  @Test("numbers of more than 64 bits and UIDs of more than 32 bits are refused")
  func wideNumbers() {
    #expect(throws: PropertyListError.self) {
      try RawList([0x14, 1] + [UInt8](repeating: 0, count: 15)).parse()
    }
    #expect(throws: PropertyListError.self) { try RawList([0x84, 1, 0, 0, 0, 0]).parse() }
  }

  @Test("a key that isn't a string, and a duplicate key, are refused")
  func keys() {
    #expect(throws: PropertyListError.keyIsNotAString(object: 1)) {
      try RawList([0xD1, 1, 2], [0x10, 7], [0x09]).parse()
    }
    #expect(throws: PropertyListError.duplicateKey("a")) {
      try RawList([0xD2, 1, 1, 2, 2], [0x51, 0x61], [0x09]).parse()
    }
    #expect(throws: PropertyListError.duplicateKey("\u{f1}")) {
      try RawList([0xD2, 1, 2, 3, 3], [0x61, 0, 0xf1], [0x62, 0, 0x6e, 3, 3], [0x09]).parse()
    }
  }

  @Test("a reference to a missing object is refused")
  func references() {
    #expect(throws: PropertyListError.badReference(object: 9, count: 1)) { try RawList([0xA1, 9]).parse() }
    var list = RawList([0xA1] + [UInt8](repeating: 0xff, count: 8))
    list.referenceSize = 8
    #expect(throws: PropertyListError.self) { try list.parse() }
  }

  @Test("a string with an invalid encoding is refused")
  func texts() {
    #expect(throws: PropertyListError.badText(offset: 8)) { try RawList([0x52, 0xc3, 0x28]).parse() }
    #expect(throws: PropertyListError.badText(offset: 8)) { try RawList([0x61, 0xd8, 0x00]).parse() }
  }

  @Test("a trailer that contradicts the list's length is refused")
  func trailers() throws {
    let list = RawList([0xA1, 1], [0x09])
    #expect(try list.parse() == .array([.boolean(true)]))
    for place in [6, 7, 8, 9, 14, 15, 16, 23, 24, 25, 31] {
      for byte in [0, 1, 9, 0x7f, 0x80, 0xff] as [UInt8] {
        var bad = list
        bad.trailer = [place: byte]
        if let value = try? bad.parse() {
          #expect(value == .array([.boolean(true)]) || value == .boolean(true))
        }
      }
    }
    for (place, byte) in [(6, 0), (6, 9), (7, 0), (7, 9), (8, 0x80), (15, 0), (23, 2), (31, 7), (31, 200)] {
      var bad = list
      bad.trailer = [place: UInt8(byte)]
      #expect(throws: PropertyListError.badTrailer, "byte \(place) is \(byte)") { try bad.parse() }
    }
  }

  @Test("no bytes, only the magic, and 39 bytes are refused")
  func tooShort() {
    for data in [Data(), Data("bplist00".utf8), Data("bplist00".utf8) + Data(count: 31)] {
      #expect(throws: PropertyListError.notAPropertyList) { try PropertyList(parsing: data) }
    }
  }

  @Test("random bytes after the magic are read or refused")
  func random() {
    var state: UInt64 = 42
    for _ in 0..<5000 {
      let bytes = (0..<80).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      }
      var list = RawList(Array(bytes.prefix(60)))
      list.objects += [Array(bytes.suffix(20))]
      _ = try? list.parse()
      _ = try? PropertyList(parsing: Data("bplist00".utf8) + Data(bytes))
    }
  }

  static let sentences: [(PropertyListError, String)] = [
    (.notAPropertyList, "neither a binary nor an XML property list"),
    (.truncated(offset: 9), "the property list ends inside the object at byte 9"),
    (.badTrailer, "the property list's trailer is invalid"),
    (.badObject(offset: 8, marker: 0x70), "the property list has an object of unknown kind 0x70 at byte 8"),
    (
      .badReference(object: 9, count: 1),
      "the property list refers to object 9, and the number of its objects is 1"
    ),
    (.cycle(object: 0), "object 0 of the property list contains itself"),
    (.tooDeep(limit: 256), "the property list is nested more than 256 levels deep"),
    (.tooManyObjects(limit: 7), "the property list holds more than 7 values"),
    (.tooManyBytes(limit: 7), "the property list expands to more than 7 bytes"),
    (.keyIsNotAString(object: 1), "a dictionary of the property list has a key (object 1) that isn't a string"),
    (.duplicateKey("a"), "a dictionary of the property list has the key “a” twice"),
    (.badText(offset: 8), "the property list has text of an invalid encoding at byte 8"),
    (.malformedXML("x"), "the XML property list can't be read: x"),
  ]

  @Test("each error says what is wrong", arguments: sentences)
  func wording(error: PropertyListError, sentence: String) {
    #expect(error.description == sentence)
  }
}
