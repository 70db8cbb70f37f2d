import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@Suite("Binary property lists: Foundation reads Decant's lists, and Decant reads Foundation's")
struct FoundationAgreementTests {
  private static var pairs: [(list: PropertyList, object: NSObject)] {
    [
      (.boolean(true), NSNumber(value: true)), (.integer(5), NSNumber(value: 5)),
      (.integer(-5), NSNumber(value: -5)), (.integer(40_000), NSNumber(value: 40_000)),
      (.integer(.max), NSNumber(value: Int64.max)), (.integer(.min), NSNumber(value: Int64.min)),
      (.real(1.25), NSNumber(value: 1.25)), (.single(1.5), NSNumber(value: Float(1.5))),
      (.date(123_456.5), NSDate(timeIntervalSinceReferenceDate: 123_456.5)),
      (.data(Data([1, 2, 3])), NSData(data: Data([1, 2, 3]))), (.string("abc"), "abc" as NSString),
      (.string("señal 日本 🇪🇸"), "señal 日本 🇪🇸" as NSString),
      (.string(String(repeating: "x", count: 1000)), String(repeating: "x", count: 1000) as NSString),
      (.array([.integer(1), .string("a")]), [NSNumber(value: 1), "a" as NSString] as NSArray),
      (.dictionary(["k": .array([])]), ["k": [] as NSArray] as NSDictionary),
    ]
  }

  @Test("a value of each kind is read on both sides", arguments: 0..<15)
  func kind(_ index: Int) throws {
    let (list, object) = Self.pairs[index]
    let wrapped = PropertyList.array([list])
    let theirs = try PropertyListSerialization.data(
      fromPropertyList: [object] as NSArray, format: .binary, options: 0)
    #expect(try PropertyList(parsing: theirs) == wrapped)
    let read = try PropertyListSerialization.propertyList(from: wrapped.binaryData(), options: [], format: nil)
    #expect((read as? NSArray ?? (read as? [Any]).map { $0 as NSArray })?.isEqual([object] as NSArray) == true)
  }

  @Test("genuine lists keep every value when they are written again", .enabled(if: SharedFixtures.areThere))
  func genuine() throws {
    var count = 0
    let files = FileManager.default.enumerator(at: SharedFixtures.root, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard ["mom", "plist", "cdm"].contains(file.pathExtension) else { continue }
      let data = try Data(contentsOf: file)
      guard data.starts(with: Array("bplist".utf8)) else { continue }
      let list = try PropertyList(parsing: data)
      #expect(try PropertyList(parsing: list.binaryData()) == list, "\(file.path)")
      count += 1
    }
    #expect(count > 20)
  }
}
