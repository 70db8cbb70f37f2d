import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@testable import DecantTransformers

@Suite("Hostile archives in transformable attributes")
struct HostileValueTests {
  private static let cases: [(String, Data)] = [
    (
      "a list in itself",
      ArchivedValues.archive { writer in
        let list = writer.reserve()
        writer.set(list, "NSArray", ["NS.objects": .array([list])])
        return list
      }
    ),
    (
      "a dictionary with a key too many",
      ArchivedValues.archive {
        $0.add("NSDictionary", ["NS.keys": .array([$0.text("a")]), "NS.objects": .array([])])
      }
    ),
    (
      "an ordered set in itself",
      ArchivedValues.archive { writer in
        let set = writer.reserve()
        writer.set(set, "NSOrderedSet", ["NS.object.0": set])
        return set
      }
    ),
    ("a list with nil", ArchivedValues.archive { $0.array([ArchiveWriter.null]) }),
    ("a list with a stray reference", ArchivedValues.archive { $0.array([.uid(9000)]) }),
    ("a list without members", ArchivedValues.archive { $0.add("NSArray", [:]) }),
    ("a short UUID", ArchivedValues.archive { $0.add("NSUUID", ["NS.uuidbytes": .data(Data([1]))]) }),
    ("a date that is text", ArchivedValues.archive { $0.add("NSDate", ["NS.time": .string("x")]) }),
    ("a URL without text", ArchivedValues.archive { $0.add("NSURL", ["NS.base": ArchiveWriter.null]) }),
    (
      "a URL whose base is itself",
      ArchivedValues.archive { writer in
        let url = writer.reserve()
        writer.set(url, "NSURL", ["NS.base": url, "NS.relative": writer.text("a")])
        return url
      }
    ),
    ("a string without text", ArchivedValues.archive { $0.add("NSMutableString", [:]) }),
    (
      "a decimal number as a key, which Foundation can't hash",
      ArchivedValues.archive { writer in
        let number = writer.add(
          "NSDecimalNumberPlaceholder",
          [
            "NS.mantissa": .data(Data(count: 16)), "NS.length": .integer(0), "NS.exponent": .integer(0),
            "NS.negative": .boolean(false),
          ])
        return writer.add("NSSet", ["NS.objects": .array([number, writer.text("a")])])
      }
    ),
    ("an unknown class", ArchivedValues.archive { $0.add("UIColor", ["UIRed": .real(1)]) }),
    ("a class of Foundation that isn't a property list", ArchivedValues.archive { $0.add("NSIndexSet", [:]) }),
    ("an object without a class", ArchivedValues.archive { $0.add(.dictionary(["a": .integer(1)])) }),
    (
      "lists nested 1000 deep",
      ArchivedValues.archive { writer in
        var inner = writer.array([])
        for _ in 0..<1000 { inner = writer.array([inner]) }
        return inner
      }
    ),
  ]

  @Test("each archive comes as Data, and is written back as it is", arguments: cases.map(\.0))
  func given(_ name: String) throws {
    let data = try #require(Self.cases.first { $0.0 == name }).1
    for attribute in [ArchivedValues.keyed, ArchivedValues.secure] {
      #expect(try attribute.value(of: data) as? Data == data)
      #expect(try attribute.bytes(of: data) == data)
    }
  }

  @Test("a value that contains itself is found, directly or through other values")
  func circles() throws {
    let through = ArchivedValues.archive { writer in
      let list = writer.reserve()
      let entries = writer.dictionary([("a", list)])
      writer.set(list, "NSArray", ["NS.objects": .array([entries])])
      return list
    }
    let own = Self.cases.filter { $0.0.hasSuffix("in itself") }.map(\.1) + [through]
    #expect(own.count == 3)
    for data in own {
      let problem = #expect(throws: ArchivedObjectProblem.self) {
        try ObjectReader.object(of: data, allowed: nil)
      }
      #expect("\(problem as Any)".contains("that contains itself"), "\(problem as Any)")
    }
  }

  /// Nested arrays, each of which contains the inner one twice.
  private static func chain(_ depth: Int, _ writer: inout ArchiveWriter) -> PropertyList {
    var inner = writer.array([writer.text("a")])
    for _ in 0..<depth { inner = writer.array([inner, inner]) }
    return inner
  }

  @Test("shared arrays are read and written if they don't have too many members in all places together")
  func shared() throws {
    let small = ArchivedValues.archive { Self.chain(10, &$0) }
    let value = try #require(try ArchivedValues.keyed.value(of: small))
    #expect((value as? [Any])?.count == 2)
    // If each place had its own copy, there would be 1024 arrays.
    #expect(try ArchivedValues.keyed.bytes(of: value).count <= small.count)
    for depth in [60, 150] {
      let large = ArchivedValues.archive { Self.chain(depth, &$0) }
      #expect(try ArchivedValues.keyed.value(of: large) as? Data == large)
      #expect(try ArchivedValues.keyed.bytes(of: large) == large)
    }
  }

  @Test(
    "equal collections as members of a set, or as keys, take no time for deep comparisons",
    arguments: [0, 5, 60])
  func equal(depth: Int) throws {
    let members: [(inout ArchiveWriter) -> PropertyList] = [
      { Self.chain(depth, &$0) },
      { writer in writer.dictionary([("a", Self.chain(depth, &writer))]) },
      { writer in
        let list = Self.chain(depth, &writer)
        return writer.add("NSSet", ["NS.objects": .array([list])])
      },
      { writer in
        (0..<depth).reduce(writer.text("a")) { inner, _ in
          writer.add("NSSet", ["NS.objects": .array([inner, writer.text("b")])])
        }
      },
    ]
    for make in members {
      let set = ArchivedValues.archive { writer in
        let equal = [make(&writer), make(&writer)]
        return writer.add("NSSet", ["NS.objects": .array(equal)])
      }
      let keys = ArchivedValues.archive { writer in
        let equal = [make(&writer), make(&writer)]
        let values = [writer.text("x"), writer.text("y")]
        return writer.add("NSDictionary", ["NS.keys": .array(equal), "NS.objects": .array(values)])
      }
      for data in [set, keys] {
        let value = try #require(try ArchivedValues.keyed.value(of: data))
        // Only a set of strings is read: the last member without depth.
        if value as? Data == nil { #expect(depth == 0) }
        #expect(try ArchivedValues.keyed.bytes(of: value).count <= data.count)
      }
    }
  }

  @Test("damaged archives never end the process")
  func damaged() throws {
    let whole = try ArchivedValues.keyed.bytes(
      of: ["a": [1, 2.5, "é", Date(), UUID(), ["b": NSNull()]] as [Any], "c": Set(["x", "y"])] as [String: Any])
    var dice = Dice(20_261_126)
    for _ in 0..<3000 {
      var bytes = [UInt8](whole)
      for _ in 0..<Int(1 + dice.next() % 4) {
        bytes[Int(dice.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: dice.next())
      }
      if dice.next() % 8 == 0 { bytes.removeLast(Int(dice.next() % UInt64(bytes.count))) }
      // The result is an object or Data, or an error if a class isn't allowed.
      _ = try? ArchivedValues.secure.value(of: Data(bytes))
      _ = try? ArchivedValues.keyed.value(of: Data(bytes))
    }
  }
}
