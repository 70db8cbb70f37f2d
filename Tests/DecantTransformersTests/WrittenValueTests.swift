import DecantTestSupport
import DecantTransformers
import Foundation
import KeyedArchive
import Testing

@Suite("Values that can't be archived, and shared values")
struct WrittenValueTests {
  private let keyed = ArchivedValues.keyed

  private func problem(_ value: Any) -> String {
    do {
      _ = try keyed.bytes(of: value)
      return "no problem"
    } catch {
      return "\(error)"
    }
  }

  @Test("a value that contains itself is refused")
  func circles() throws {
    let list = NSMutableArray()
    list.add(list)
    #expect(problem(list).contains("an object of type NSMutableArray that contains itself"), "\(problem(list))")
    let entries = NSMutableDictionary()
    entries["a"] = NSArray(object: entries)
    #expect(problem(entries).contains("NSMutableDictionary that contains itself"), "\(problem(entries))")
    let set = NSMutableSet()
    let inner = NSMutableArray()
    inner.add(set)
    set.add(inner)
    set.add("a")
    #expect(problem(set).contains("NSMutableSet that contains itself"), "\(problem(set))")
    let ordered = NSMutableOrderedSet()
    ordered.add(NSArray(object: ordered))
    #expect(problem(ordered).contains("NSMutableOrderedSet that contains itself"), "\(problem(ordered))")
    ordered.removeAllObjects()
    #expect(problem([list]).contains("contains itself"))
    for circle in [list, inner] { circle.removeAllObjects() }
    entries.removeAllObjects()
  }

  @Test("shared arrays and dictionaries are written once, and stay shared")
  func shared() throws {
    var value: NSObject = NSArray(object: "a")
    for index in 0..<60 {
      value =
        index.isMultiple(of: 2)
        ? NSArray(objects: value, value)
        : NSDictionary(objects: [value, value], forKeys: ["x", "y"] as [NSString])
    }
    let data = try keyed.bytes(of: value)
    #expect(data.count < 5000)
    let leaf = NSArray(object: "leaf")
    let twice = try keyed.bytes(of: NSArray(objects: leaf, leaf))
    let root = try Archive(parsing: twice).root()
    var allowance = ArchiveAllowance()
    let members = try root.elements(&allowance)
    #expect(members.count == 2 && members[0].number == members[1].number)
    #expect(try keyed.value(of: twice) as? [[String]] == [["leaf"], ["leaf"]])
  }

  @Test("sets within sets are written up to four levels, arrays up to 200")
  func depth() throws {
    func sets(_ depth: Int) -> NSObject {
      (0..<depth).reduce(NSSet(array: ["a", 1])) { inner, _ in NSSet(array: [inner, "b"]) }
    }
    #expect(try !keyed.bytes(of: sets(4)).isEmpty)
    #expect(problem(sets(5)).contains("nested more than 4 levels"), "\(problem(sets(5)))")
    #expect(problem(sets(60)).contains("nested more than 4 levels"))
    func lists(_ depth: Int) -> NSArray {
      (0..<depth).reduce(NSArray()) { inner, _ in NSArray(object: inner) }
    }
    #expect(try keyed.value(of: keyed.bytes(of: lists(190))) is NSArray)
    #expect(problem(lists(200)).contains("nested more than 200 levels"), "\(problem(lists(200)))")
  }

  @Test("members of nested arrays keep their classes")
  func members() throws {
    let value = NSArray(array: [
      NSArray(array: [NSNumber(value: true), 1, 2.5, NSMutableString(string: "m")]),
      NSMutableDictionary(dictionary: ["a": NSNumber(value: false)]), NSMutableSet(array: [NSNull()]),
    ])
    let back = try #require(try keyed.value(of: keyed.bytes(of: value)) as? NSArray)
    #expect(back.count == 3 && (back.object(at: 2) as? NSSet)?.anyObject() is NSNull)
    let archive = try Archive(parsing: keyed.bytes(of: value)).root()
    var allowance = ArchiveAllowance()
    let lists = try archive.elements(&allowance)
    #expect(lists.map(\.className) == ["NSArray", "NSMutableDictionary", "NSMutableSet"])
    let first = try lists[0].elements(&allowance)
    #expect(first.map(\.plain) == [.boolean(true), .integer(1), .real(2.5), nil])
    #expect(first.last?.className == "NSMutableString")
    #expect(problem([[Range(1...2)]]).contains("a value of type Range<Int> can't be archived"))
  }
}
