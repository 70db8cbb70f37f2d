import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@Suite("Binary property lists: written values can be read again")
struct BinaryRoundTripTests {
  static let values: [PropertyList] = [
    .null, .boolean(true), .boolean(false), .integer(0), .integer(1), .integer(127), .integer(128),
    .integer(255),
    .integer(256), .integer(65_535), .integer(65_536), .integer(Int64(UInt32.max)),
    .integer(Int64(UInt32.max) + 1),
    .integer(.max), .integer(.min), .integer(-1), .unsigned(UInt64(Int64.max) + 1), .unsigned(.max), .real(0),
    .real(-0.0), .real(1.5), .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude), .single(1.5),
    .single(-0.0), .date(0), .date(-978_307_200), .date(7e8), .data(Data()), .data(Data([0])),
    .data(Data(count: 14)), .data(Data(count: 15)), .data(Data(repeating: 7, count: 70_000)), .string(""),
    .string("a"), .string(String(repeating: "a", count: 14)), .string(String(repeating: "a", count: 15)),
    .string(String(repeating: "a", count: 300)), .string("señal"), .string("sen\u{303}al"), .string("日本語"),
    .string("🇪🇸👩‍👩‍👧"), .string("\u{0}\n\""), .uid(0), .uid(255), .uid(256), .uid(65_536), .uid(.max), .array([]),
    .array([.array([.array([])])]), .dictionary([:]), .dictionary(["": .null]),
    .dictionary(["a": .dictionary(["b": .array([.integer(1), .integer(1), .boolean(true), .real(1)])])]),
  ]

  @Test("a value of every kind", arguments: values)
  func value(_ list: PropertyList) throws {
    let data = list.binaryData()
    let again = try PropertyList(parsing: data)
    #expect(again == list)
    #expect(again.binaryData() == data)
  }

  @Test("all values in one list, with more objects than one-byte references can count")
  func together() throws {
    let numbers = (0..<70_000).map { PropertyList.integer(Int64($0)) }
    let list = PropertyList.array(Self.values + [.array(numbers)])
    #expect(try PropertyList(parsing: list.binaryData()) == list)
  }

  @Test("strings that differ only in their normal form stay different, and so do zero and minus zero")
  func bytesAreKept() throws {
    let texts = ["sen\u{303}al", "se\u{f1}al"]
    let list = PropertyList.array(texts.map(PropertyList.string) + [.real(0), .real(-0.0)])
    let again = try #require(try PropertyList(parsing: list.binaryData()).array)
    #expect(
      again.prefix(2).compactMap { $0.string.map { Array($0.unicodeScalars) } }
        == texts.map { Array($0.unicodeScalars) })
    guard case .real(let zero) = again[2], case .real(let minus) = again[3] else {
      Issue.record("no reals")
      return
    }
    #expect(zero.sign == .plus)
    #expect(minus.sign == .minus)
  }

  @Test("NaN stays NaN")
  func notANumber() throws {
    guard case .real(let number) = try PropertyList(parsing: PropertyList.real(.nan).binaryData()) else {
      Issue.record("no real")
      return
    }
    #expect(number.isNaN)
  }

  @Test("equal dictionaries give the same bytes, in any order of their entries")
  func order() throws {
    let keys = (0..<200).map { "key \($0)" }
    let one = PropertyList.dictionary(Dictionary(uniqueKeysWithValues: keys.map { ($0, .string($0)) }))
    let other = PropertyList.dictionary(
      Dictionary(uniqueKeysWithValues: keys.reversed().map { ($0, .string($0)) }))
    #expect(one.binaryData() == other.binaryData())
  }

  @Test("an accessor gives nil for a value of another kind")
  func accessors() {
    #expect(PropertyList.string("a").string == "a")
    #expect(PropertyList.integer(1).string == nil)
    #expect(PropertyList.integer(1).integer == 1)
    #expect(PropertyList.boolean(true).integer == nil)
    #expect(PropertyList.data(Data([1])).data == Data([1]))
    #expect(PropertyList.string("a").data == nil)
    #expect(PropertyList.array([.null]).array == [.null])
    #expect(PropertyList.null.array == nil)
    #expect(PropertyList.dictionary(["a": .null])["a"] == .null)
    #expect(PropertyList.dictionary(["a": .null])["b"] == nil)
    #expect(PropertyList.null["a"] == nil)
  }
}
