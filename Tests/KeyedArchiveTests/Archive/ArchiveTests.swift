import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@Suite struct ArchiveTests {
  @Test func anObjectGivesItsClassItsKeysAndNilForWhatIsNotThere() throws {
    var writer = ArchiveWriter()
    let name = writer.text("Ana")
    let root = writer.add("Person", ["name": name, "age": .integer(41), "none": ArchiveWriter.null])
    let node = try Archive(parsing: writer.data(root: root)).root()
    #expect(node.className == "Person")
    #expect(try node.string("name") == "Ana")
    #expect(try node.integer("age") == 41)
    #expect(try node.string("none") == nil)
    #expect(try node.string("absent") == nil)
    #expect(node.has("none") && !node.has("absent"))
  }

  @Test func valuesOfFoundationAreReadAsPlainValues() throws {
    var writer = ArchiveWriter()
    let uuid = UUID()
    let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
    let root = writer.add(
      "Box",
      [
        "mutable": writer.add("NSMutableString", ["NS.string": .string("text")]),
        "date": writer.add("NSDate", ["NS.time": .real(12.5)]),
        "uuid": writer.add("NSUUID", ["NS.uuidbytes": .data(bytes)]),
        "data": writer.add("NSMutableData", ["NS.data": .data(Data([1, 2]))]),
        "url": writer.add(
          "NSURL", ["NS.base": ArchiveWriter.null, "NS.relative": writer.text("https://a.example")]),
      ])
    let node = try Archive(parsing: writer.data(root: root)).root()
    #expect(try node.string("mutable") == "text")
    #expect(try node.member("date")?.date == 12.5)
    #expect(try node.member("uuid")?.uuid == uuid)
    #expect(try node.member("data")?.data == Data([1, 2]))
    #expect(try node.member("url")?.url == "https://a.example")
  }

  @Test(
    arguments: [
      ([15], -1, false, "1.5"), ([15], -1, true, "-1.5"), ([], -1, false, "0"), ([0, 1], 0, false, "65536"),
      (
        [0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff], 0, false,
        "340282366920938463463374607431768211455"
      ),
    ] as [([UInt16], Int64, Bool, String)])
  func decimalsKeepEveryDigit(digits: [UInt16], exponent: Int64, isNegative: Bool, expected: String) throws {
    for order: Int64 in [0, 1] {
      var mantissa = Data(count: 16)
      for (place, digit) in digits.enumerated() {
        mantissa[2 * place] = UInt8(order == 1 ? digit & 0xff : digit >> 8)
        mantissa[2 * place + 1] = UInt8(order == 1 ? digit >> 8 : digit & 0xff)
      }
      var writer = ArchiveWriter()
      let root = writer.add(
        "NSDecimalNumberPlaceholder",
        [
          "NS.mantissa": .data(mantissa), "NS.mantissa.bo": .integer(order), "NS.compact": .boolean(true),
          "NS.length": .integer(Int64(digits.count)), "NS.exponent": .integer(exponent),
          "NS.negative": .boolean(isNegative),
        ])
      let decimal = try Archive(parsing: writer.data(root: root)).root().decimal
      #expect(decimal == Decimal(string: expected))
    }
  }

  @Test func aDecimalThatIsNoneIsNil() throws {
    let good: [String: PropertyList] = [
      "NS.mantissa": .data(Data(count: 16)), "NS.length": .integer(1), "NS.exponent": .integer(0),
    ]
    let spoiled: [(String, PropertyList)] = [
      ("NS.length", .integer(9)), ("NS.length", .integer(-1)), ("NS.exponent", .integer(1_000_000)),
      ("NS.exponent", .integer(.min)), ("NS.mantissa", .data(Data(count: 15))), ("NS.mantissa", .string("x")),
    ]
    for (key, value) in spoiled {
      var writer = ArchiveWriter()
      let root = writer.add("NSDecimalNumberPlaceholder", good.merging([key: value]) { $1 })
      #expect(try Archive(parsing: writer.data(root: root)).root().decimal == nil, "\(key)")
    }
    var writer = ArchiveWriter()
    let notANumber = good.merging(["NS.length": .integer(0), "NS.negative": .boolean(true)]) { $1 }
    let root = writer.add("NSDecimalNumberPlaceholder", notANumber)
    #expect(try Archive(parsing: writer.data(root: root)).root().decimal == nil)
  }

  @Test(arguments: ["NSArray", "NSMutableArray", "NSSet", "NSMutableSet"])
  func listsOfEveryClassGiveTheirMembers(className: String) throws {
    var writer = ArchiveWriter()
    let list = writer.array([writer.text("a"), writer.text("b")], as: className)
    let root = writer.add("Box", ["list": list, "lists": writer.array([list])])
    let node = try Archive(parsing: writer.data(root: root)).root()
    var allowance = ArchiveAllowance()
    #expect(try node.strings("list", &allowance) == ["a", "b"])
    #expect(try node.stringLists("lists", &allowance) == [["a", "b"]])
  }

  @Test func dictionariesOfEveryClassGiveTheirEntries() throws {
    var writer = ArchiveWriter()
    let plain = writer.dictionary([("a", .integer(1)), ("b", .integer(2))], as: "NSMutableDictionary")
    let mapping = writer.add(
      "NSKnownKeysMappingStrategy1",
      [
        "keys": writer.array([writer.text("a"), writer.text("b")]), "length": .integer(2),
        "version": .integer(1),
      ])
    let known = writer.add(
      "NSKnownKeysDictionary1", ["searchMapping": mapping, "values": writer.array([.integer(1), .integer(2)])])
    let root = writer.add("Box", ["plain": plain, "known": known])
    let node = try Archive(parsing: writer.data(root: root)).root()
    var allowance = ArchiveAllowance()
    for key in ["plain", "known"] {
      let entries = try #require(try node.entries(key, &allowance))
      #expect(entries.map(\.key) == ["a", "b"])
      #expect(entries.map { $0.value?.plain } == [.integer(1), .integer(2)])
    }
  }

  @Test func objectsInACircleAreFollowedAsFarAsOneAsks() throws {
    var writer = ArchiveWriter()
    let (one, two) = (writer.reserve(), writer.reserve())
    writer.set(one, "Node", ["next": two])
    writer.set(two, "Node", ["next": one])
    var node = try Archive(parsing: writer.data(root: one)).root()
    let start = node.number
    for _ in 0..<1_000 { node = try #require(try node.member("next")) }
    #expect(node.number == start)
  }
}
