import DecantModel
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@Suite struct HostileModelTests {
  private func failure(_ data: Data) -> String {
    do throws(ModelError) {
      _ = try CompiledModelReader.read(data)
      return ""
    } catch {
      return error.description
    }
  }

  @Test func whatIsNoCompiledModelSaysWhatItIs() {
    #expect(failure(Data()).contains("isn't a keyed archive in binary form"))
    #expect(failure(Data("momv2$srsraori55".utf8)).contains("optimised model (.omo)"))
    #expect(
      failure(Data("<?xml version=\"1.0\"?><plist/>".utf8)).contains("isn't a keyed archive in binary form"))
    #expect(failure(PropertyList.array([]).binaryData()).contains("NSKeyedArchiver"))
    var writer = ArchiveWriter()
    let task = writer.add("NSTask", [:])
    #expect(failure(writer.data(root: task)).contains("an object of class “NSTask”"))
    let empty = writer.add("NSManagedObjectModel", [:])
    #expect(failure(writer.data(root: empty)).contains("lacks “NSEntities”"))
  }

  @Test func objectsThatContainThemselvesEnd() {
    var writer = ArchiveWriter()
    let predicate = writer.reserve()
    let parts = writer.array([predicate])
    writer.set(
      predicate, "NSCompoundPredicate", ["NSCompoundPredicateType": .integer(1), "NSSubpredicates": parts])
    let property = writer.add(
      "NSAttributeDescription",
      [
        "NSPropertyName": .string("a"), "NSAttributeType": .integer(700),
        "NSValidationPredicates": writer.array([predicate, predicate]),
      ])
    let composite = writer.reserve()
    let elements = writer.array([composite])
    writer.set(
      composite, "NSCompositeAttributeDescription",
      ["NSPropertyName": .string("c"), "NSAttributeType": .integer(2100), "NSCompositeElements": elements])
    let predicates = OneEntity.root(&writer, properties: [("a", property)])
    _ = failure(writer.data(root: predicates))
    let nested = OneEntity.root(&writer, properties: [("c", composite)])
    #expect(failure(writer.data(root: nested)).contains("nested more than 16 levels deep"))
  }

  @Test func aPredicateThatDoublesAtEveryLevelEnds() {
    var writer = ArchiveWriter()
    var predicate = writer.add("NSTruePredicate", [:])
    for _ in 0..<60 {
      let parts = writer.array([predicate, predicate])
      predicate = writer.add(
        "NSCompoundPredicate", ["NSCompoundPredicateType": .integer(2), "NSSubpredicates": parts])
    }
    let property = writer.add(
      "NSAttributeDescription",
      [
        "NSPropertyName": .string("a"), "NSAttributeType": .integer(700),
        "NSValidationPredicates": writer.array([predicate]),
      ])
    let root = OneEntity.root(&writer, properties: [("a", property)])
    _ = failure(writer.data(root: root))
  }

  @Test func inheritanceInACircleOrTooDeepIsRefused() {
    func chain(_ count: Int, closed: Bool) -> Data {
      var writer = ArchiveWriter()
      let places = (0..<count).map { _ in writer.reserve() }
      for (index, place) in places.enumerated() {
        var keys: [String: PropertyList] = ["NSEntityName": .string("E\(index)")]
        if index > 0 || closed { keys["NSSuperentity"] = places[(index + count - 1) % count] }
        writer.set(place, "NSEntityDescription", keys)
      }
      let entities = writer.dictionary(places.enumerated().map { ("E\($0)", $1) })
      let root = writer.add("NSManagedObjectModel", ["NSEntities": entities])
      return writer.data(root: root)
    }
    #expect(failure(chain(3, closed: false)).isEmpty)
    #expect(failure(chain(3, closed: true)).contains("is its own ancestor"))
    #expect(failure(chain(1, closed: true)).contains("is its own ancestor"))
    #expect(failure(chain(5_000, closed: false)).contains("more than 200 ancestors"))
  }

  @Test func manyEntitiesThatShareManyPropertiesAreRefused() {
    var writer = ArchiveWriter()
    let properties = (0..<1_000).map { index in
      (
        "p\(index)",
        writer.add(
          "NSAttributeDescription", ["NSPropertyName": .string("p\(index)"), "NSAttributeType": .integer(700)])
      )
    }
    let shared = writer.dictionary(properties)
    let entities = (0..<2_000).map { index in
      (
        "E\(index)",
        writer.add("NSEntityDescription", ["NSEntityName": .string("E\(index)"), "NSProperties": shared])
      )
    }
    let all = writer.dictionary(entities)
    let root = writer.add("NSManagedObjectModel", ["NSEntities": all])
    #expect(failure(writer.data(root: root)).contains("more than"))
  }

  @Test func aMillionEntitiesAreRefused() {
    let entry = PropertyList.dictionary(["NSEntityName": .string("E"), "$class": .uid(1)])
    let references = PropertyList.array(Array(repeating: .uid(2), count: 1_000_000))
    let list = PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$top": .dictionary(["root": .uid(4)]),
      "$objects": .array([
        .string("$null"), .dictionary(["$classname": .string("NSEntityDescription")]), entry,
        .dictionary(["$classname": .string("NSManagedObjectModel")]),
        .dictionary(["NSEntities": .uid(6), "$class": .uid(3)]),
        .dictionary(["$classname": .string("NSDictionary")]),
        .dictionary(["NS.keys": references, "NS.objects": references, "$class": .uid(5)]),
      ]),
    ])
    #expect(!failure(list.binaryData()).isEmpty)
  }

  @Test func namesThatDisagreeAreRefused() {
    var writer = ArchiveWriter()
    let property = writer.add(
      "NSAttributeDescription", ["NSPropertyName": .string("other"), "NSAttributeType": .integer(700)])
    let root = OneEntity.root(&writer, properties: [("a", property)])
    #expect(failure(writer.data(root: root)) == "property “E.a”: the archive also names it “other”")
    let unknown = writer.add("NSExpressionDescription", ["NSPropertyName": .string("a")])
    let second = OneEntity.root(&writer, properties: [("a", unknown)])
    #expect(
      failure(writer.data(root: second)).contains("an object of class “NSExpressionDescription”")
        || failure(writer.data(root: second)).contains("NSExpressionDescription"))
  }

  /// Replaces each value of a model's archive by a strange one, mostly of another kind.
  @Test func valuesOfTheWrongKindAreErrorsOrHarmless() throws {
    let data = CompiledModelWriter.data(try SampleModel.make(), as: .cacheWithCopies)
    let list = try PropertyList(parsing: data)
    guard case .dictionary(var top) = list, case .array(let objects)? = top["$objects"] else { return }
    let strange: [PropertyList] = [
      .boolean(true), .integer(.max), .integer(.min), .unsigned(.max), .real(.nan), .date(.infinity),
      .data(Data()),
      .string(""), .array([]), .dictionary([:]), .uid(0), .uid(1), .uid(.max),
    ]
    var (refused, read) = (0, 0)
    for (place, object) in objects.enumerated() {
      guard case .dictionary(let entries) = object else { continue }
      for key in entries.keys.sorted() {
        let value = strange[(place + key.utf8.count) % strange.count]
        var (spoiled, changed) = (objects, entries)
        changed[key] = value
        spoiled[place] = .dictionary(changed)
        top["$objects"] = .array(spoiled)
        if failure(PropertyList.dictionary(top).binaryData()).isEmpty { read += 1 } else { refused += 1 }
      }
    }
    #expect(refused > 100 && read > 0)
  }

  @Test func anArchiveCutOrSpoiledAnywhereIsAnErrorOrAnotherModel() throws {
    let model = try ManagedObjectModel(entities: [
      Entity(name: "Note", attributes: [Attribute(name: "title", type: .string, defaultValue: .string("x"))])
    ])
    let data = CompiledModelWriter.data(model)
    for length in 0..<data.count { #expect(!failure(data.prefix(length)).isEmpty) }
    for place in data.indices {
      for bit in 0..<8 {
        var spoiled = data
        spoiled[place] ^= UInt8(1 << bit)
        _ = failure(spoiled)
      }
    }
  }
}
