import DecantTestSupport
import DecantTransformers
import Foundation
import KeyedArchive
import Testing

@Suite("Values of transformable attributes")
struct ArchivedValueTests {
  private let keyed = ArchivedValues.keyed

  private static let moment = Date(timeIntervalSinceReferenceDate: 123.5)
  private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  @Test("a value of every supported class comes back equal and with the same class")
  func classes() throws {
    let values: [NSObject] = [
      NSString(string: "é"), NSMutableString(string: "m"), NSNumber(value: 7), NSNumber(value: -7),
      NSNumber(value: UInt64.max), NSNumber(value: 2.5), NSNumber(value: Float(0.1)), NSNumber(value: true),
      NSDate(timeIntervalSinceReferenceDate: 123.5), NSMutableData(data: Data([1, 2])), NSNull(),
      NSData(data: Data([3])), NSUUID(uuidString: Self.uuid.uuidString) ?? NSUUID(),
      NSDecimalNumber(string: "-12345678901234567890.125"), NSDecimalNumber(string: "0"),
      NSArray(array: ["a", 1, NSNull()]), NSMutableArray(array: [NSArray()]),
      NSDictionary(dictionary: ["a": 1, "b": ["c": Self.moment]]), NSMutableDictionary(dictionary: [1: "x"]),
      NSSet(array: ["a", 2]), NSMutableSet(array: ["z"]), NSOrderedSet(array: ["b", 1, "a"]),
      NSMutableOrderedSet(array: ["b", Self.moment, "a"]), NSOrderedSet(),
      NSArray(object: NSOrderedSet(array: [2, 1])),
    ]
    for value in values {
      let back = try #require(try keyed.value(of: keyed.bytes(of: value)) as? NSObject)
      #expect(back.isEqual(value), "\(value)")
      #expect(type(of: back) == type(of: value), "\(value)")
    }
    let base = URL(string: "https://a.example/x/")
    let urls: [Any] = [
      try #require(URL(string: "b?c#d", relativeTo: base)),
      try #require(NSURL(string: "b?c#d", relativeTo: base)),
    ]
    for url in urls {
      let back = try #require(try keyed.value(of: keyed.bytes(of: url)) as? NSURL)
      #expect(back.absoluteString == "https://a.example/x/b?c#d" && back.relativeString == "b?c#d")
      #expect(back.baseURL == base)
    }
  }

  @Test("Swift values are archived as Foundation's classes, and can be cast back")
  func swift() throws {
    let list = try keyed.value(of: keyed.bytes(of: ["a", "b"]))
    #expect(list as? [String] == ["a", "b"] && list is NSArray)
    let entries = try keyed.value(of: keyed.bytes(of: ["a": [1, 2], "b": []]))
    #expect(entries as? [String: [Int]] == ["a": [1, 2], "b": []])
    #expect(try keyed.value(of: keyed.bytes(of: Set(["x", "y"]))) as? Set<String> == ["x", "y"])
    #expect(try keyed.value(of: keyed.bytes(of: Self.moment)) as? Date == Self.moment)
    #expect(try keyed.value(of: keyed.bytes(of: Self.uuid)) as? UUID == Self.uuid)
    #expect(try keyed.value(of: keyed.bytes(of: 3)) as? Int == 3)
    #expect(try keyed.value(of: keyed.bytes(of: Decimal(string: "1.5") ?? 0)) as? NSDecimalNumber == 1.5)
    #expect(try keyed.value(of: keyed.bytes(of: ["a": nil, "b": 1] as [String: Int?])) is NSDictionary)
  }

  @Test("Foundation's unarchiver reads the archives that Decant writes")
  func foundation() throws {
    let value: NSDictionary = [
      "text": "é", "list": ["a", 1, 2.5] as NSArray, "when": Self.moment as NSDate,
      "uuid": Self.uuid as NSUUID, "data": Data([1, 2]) as NSData, "ordered": NSOrderedSet(array: ["z", "a"]),
    ]
    let classes: [AnyClass] = [
      NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSDate.self, NSUUID.self, NSData.self,
      NSOrderedSet.self,
    ]
    let data = try keyed.bytes(of: value)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
    #expect(read as? NSDictionary == value)
    let own = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    #expect(try keyed.value(of: own) as? NSDictionary == value)
  }

  @Test(
    "an ordered set is written with a key per member, as in genuine archives; a list of members is read, too")
  func ordered() throws {
    let root = try Archive(parsing: keyed.bytes(of: NSOrderedSet(array: ["z", "a"]))).root()
    #expect(root.classNames == ["NSOrderedSet", "NSObject"])
    #expect(try root.member("NS.object.0")?.string == "z" && root.member("NS.object.1")?.string == "a")
    #expect(!root.has("NS.objects") && !root.has("NS.object.2"))
    let list = ArchivedValues.archive { writer in
      writer.add("NSOrderedSet", ["NS.objects": .array([writer.text("z"), writer.text("a")])])
    }
    #expect((try keyed.value(of: list) as? NSOrderedSet)?.array as? [String] == ["z", "a"])
    let back = try keyed.value(of: keyed.bytes(of: NSOrderedSet(array: ["z", "a", "m"])))
    #expect((back as? NSOrderedSet)?.array as? [String] == ["z", "a", "m"])
  }

  @Test(
    "a secure transformer reads and writes each class that it allows; an ordered set as the root isn't allowed")
  func secure() throws {
    let secure = ArchivedValues.secure
    let url = try #require(NSURL(string: "https://a.example/x"))
    let values: [NSObject] = [
      ["a", NSOrderedSet(array: ["b"])] as NSArray, ["a": 1] as NSDictionary, NSSet(array: ["a"]),
      "é" as NSString,
      NSNumber(value: 2.5), Self.moment as NSDate, NSData(data: Data([1])), url, Self.uuid as NSUUID, NSNull(),
    ]
    for value in values {
      let back = try #require(try secure.value(of: secure.bytes(of: value)) as? NSObject)
      #expect(back.isEqual(value), "\(value)")
    }
    let ordered = try keyed.bytes(of: NSOrderedSet(array: ["b"]))
    #expect(throws: TransformProblem.self) { try secure.value(of: ordered) }
  }

  @Test("equal values give the same bytes, in any order of their members")
  func order() throws {
    let names = (0..<50).map { "k\($0)" }
    func make(_ names: [String]) -> NSDictionary {
      let set = NSMutableSet()
      let entries = NSMutableDictionary()
      for name in names {
        set.add(name)
        set.add(NSNumber(value: name.count))
        entries[name] = name
      }
      return NSDictionary(objects: [NSSet(set: set), entries], forKeys: ["s" as NSString, "e" as NSString])
    }
    #expect(try keyed.bytes(of: make(names)) == keyed.bytes(of: make(names.reversed())))
  }

  @Test("Data that are an archive are written as they are; other Data are archived")
  func data() throws {
    let plain = Data([1, 2, 3])
    let bytes = try keyed.bytes(of: plain)
    #expect(try keyed.value(of: bytes) as? Data == plain)
    let archive = ArchivedValues.archive { $0.array([$0.text("a")]) }
    #expect(try keyed.bytes(of: archive) == archive)
    let strange = Data("bytes of no archive \(UUID())".utf8)
    #expect(try keyed.value(of: strange) as? Data == strange)
    #expect(try keyed.bytes(of: strange) == strange)
  }

  @Test("an archive of nil is read as nil")
  func null() throws {
    let data = ArchivedValues.archive { _ in ArchiveWriter.null }
    #expect(try keyed.value(of: data) == nil)
  }

  @Test("a value that can't be archived is refused with its type")
  func refused() throws {
    func problem(_ value: Any) throws -> String {
      "\(try #require(throws: TransformProblem.self) { try keyed.bytes(of: value) })"
    }
    #expect(try problem(NSObject()).contains("a value of type NSObject can't be archived"))
    #expect(try problem([NSObject()]).contains("a value of type NSObject can't be archived"))
  }
}
