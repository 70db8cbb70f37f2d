import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@Suite struct HostileArchiveTests {
  private func root(_ writer: ArchiveWriter, _ root: PropertyList) throws -> ArchiveNode {
    try Archive(parsing: writer.data(root: root)).root()
  }

  @Test func whatIsNoArchiveSaysWhatItIs() throws {
    func failure(_ data: Data) -> String {
      do throws(ArchiveError) {
        _ = try Archive(parsing: data).root()
        return ""
      } catch {
        return error.description
      }
    }
    #expect(failure(Data()).contains("not a keyed archive in binary form"))
    #expect(
      failure(Data("<?xml version=\"1.0\"?><plist><dict/></plist>".utf8)).contains(
        "not a keyed archive in binary"))
    #expect(failure(PropertyList.array([]).binaryData()).contains("NSKeyedArchiver"))
    let noTable = PropertyList.dictionary(["$archiver": .string("NSKeyedArchiver")])
    #expect(failure(noTable.binaryData()).contains("no table of objects"))
    let noNil = PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$objects": .array([.string("x")]),
    ])
    #expect(failure(noNil.binaryData()).contains("begin with nil"))
    #expect(failure(ArchiveWriter().data(root: ArchiveWriter.null)).contains("no root object"))
    #expect(failure(ArchiveWriter().data(root: .uid(7))).contains("refers to object 7"))
  }

  @Test func referencesToNowhereAndOfTheWrongKindAreErrors() throws {
    var writer = ArchiveWriter()
    let box = writer.add(
      "Box",
      [
        "far": .uid(4_000_000_000), "number": .integer(.max), "text": .string("x"), "real": .real(1e300),
        "nan": .real(.nan), "huge": .unsigned(.max), "list": .array([]),
      ])
    let node = try root(writer, box)
    var allowance = ArchiveAllowance()
    #expect(throws: ArchiveError.self) { try node.member("far") }
    #expect(throws: ArchiveError.self) { try node.string("number") }
    #expect(throws: ArchiveError.self) { try node.integer("text") }
    #expect(throws: ArchiveError.self) { try node.integer("real") }
    #expect(throws: ArchiveError.self) { try node.integer("nan") }
    #expect(throws: ArchiveError.self) { try node.integer("huge") }
    #expect(throws: ArchiveError.self) { try node.integer32("number") }
    #expect(throws: ArchiveError.self) { try node.flag("text") }
    #expect(throws: ArchiveError.self) { try node.requiredString("absent") }
    #expect(throws: ArchiveError.self) { try node.list("list", &allowance) }
    #expect(throws: ArchiveError.self) { try node.list("text", &allowance) }
    #expect(throws: ArchiveError.self) { try node.entries("text", &allowance) }
    #expect(throws: ArchiveError.self) { try node.object("text", of: "Box") }
  }

  @Test func classesThatDontBelongAreErrors() throws {
    var writer = ArchiveWriter()
    let strange = writer.add("NSTask", ["NS.objects": .array([]), "NS.string": .string("x")])
    let noName = writer.add(.dictionary(["$class": writer.add(.dictionary(["$classname": .integer(1)]))]))
    let box = writer.add("Box", ["strange": strange, "noName": noName])
    let node = try root(writer, box)
    var allowance = ArchiveAllowance()
    for key in ["strange", "noName"] {
      #expect(throws: ArchiveError.self) { try node.list(key, &allowance) }
      #expect(throws: ArchiveError.self) { try node.entries(key, &allowance) }
      #expect(throws: ArchiveError.self) { try node.string(key) }
    }
    #expect(try node.member("noName")?.className == nil)
  }

  @Test func dictionariesThatDontAddUpAreErrors() throws {
    var writer = ArchiveWriter()
    let unequal = writer.add("NSDictionary", ["NS.keys": .array([writer.text("a")]), "NS.objects": .array([])])
    let repeated = writer.dictionary([("a", .integer(1)), ("a", .integer(2))])
    let numbers = writer.add(
      "NSDictionary", ["NS.keys": .array([.integer(1)]), "NS.objects": .array([.integer(1)])])
    let keyless = writer.add("NSDictionary", [:])
    let unmapped = writer.add("NSKnownKeysDictionary1", ["values": writer.array([])])
    let keys = [
      "unequal": unequal, "repeated": repeated, "numbers": numbers, "keyless": keyless, "unmapped": unmapped,
    ]
    let box = writer.add("Box", keys)
    let node = try root(writer, box)
    var allowance = ArchiveAllowance()
    for key in keys.keys {
      #expect(throws: ArchiveError.self, "\(key)") { try node.entries(key, &allowance) }
    }
  }

  @Test func aSmallArchiveThatLeadsToManyMembersEndsAtTheAllowance() throws {
    var writer = ArchiveWriter()
    let inner = writer.array(Array(repeating: .integer(1), count: 1_000))
    let outer = writer.array(Array(repeating: inner, count: 1_000))
    let box = writer.add("Box", ["outer": outer])
    let node = try root(writer, box)
    var allowance = ArchiveAllowance(limit: 10_000)
    let members = try #require(try node.list("outer", &allowance))
    #expect(throws: ArchiveError.tooManyMembers(limit: 10_000)) {
      for member in members { _ = try member.elements(&allowance) }
    }
  }

  @Test func aTableOfAMillionObjectsAndTooManyBytesAreRefused() throws {
    let objects = [PropertyList.string("$null")] + Array(repeating: .integer(1), count: 1_000_000)
    let list = PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$objects": .array(objects),
      "$top": .dictionary(["root": .uid(1)]),
    ])
    #expect(throws: ArchiveError.tooManyObjects(limit: 500_000)) { try Archive(parsing: list.binaryData()) }
    var limits = ArchiveLimits()
    limits.maximumBytes = 10
    #expect(throws: ArchiveError.tooManyBytes(limit: 10)) {
      try Archive(parsing: list.binaryData(), limits: limits)
    }
  }

  @Test func anArchiveCutOrSpoiledAnywhereIsAnErrorOrAnotherArchive() throws {
    var writer = ArchiveWriter()
    let list = writer.array([writer.text("alpha"), writer.dictionary([("k", .real(1))])])
    let box = writer.add("Box", ["list": list])
    let data = writer.data(root: box)
    func walk(_ data: Data) {
      guard let node = try? Archive(parsing: data).root() else { return }
      var allowance = ArchiveAllowance(limit: 1_000)
      for member in (try? node.list("list", &allowance)) ?? [] {
        _ = (member.className, member.string, member.decimal, try? member.elements(&allowance))
      }
    }
    for length in 0..<data.count {
      #expect(throws: ArchiveError.self) { try Archive(parsing: data.prefix(length)) }
    }
    for place in data.indices {
      for bit in 0..<8 {
        var spoiled = data
        spoiled[place] ^= UInt8(1 << bit)
        walk(spoiled)
      }
    }
  }
}
