import DecantModel
import Foundation
import PredicateFormat
import Testing

/// Checks each rule of docs/formats/version-hash.md 1, 2 and 3 by the hashed bytes.
@Suite("Version hashes rule by rule")
struct VersionHashRuleTests {
  private func sha(_ parts: [UInt8]...) -> [UInt8] { MessageDigest.sha256(parts.flatMap { $0 }) }
  private func text(_ text: String) -> [UInt8] { Array(text.utf8) }
  private func number(_ value: Int32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
  private func hash(_ entity: Entity, beside others: [Entity] = []) throws -> [UInt8]? {
    try ManagedObjectModel(entities: [entity] + others).entityVersionHashes[entity.name]?.bytes
  }

  @Test("SHA-256 and SHA-512 of an empty message")
  func digests() {
    func hexadecimal(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
    #expect(
      hexadecimal(MessageDigest.sha256([]))
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      hexadecimal(MessageDigest.sha512([])).hasPrefix(
        "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"))
  }

  @Test("an attribute's flags, modifier, type and storage options are in its hash")
  func attributes() {
    let plain = Attribute(name: "a", type: .boolean)
    #expect(plain.versionHash.bytes == sha(sha(text("a"), [0, 0]), number(800)))
    var all = plain
    all.isOptional = true
    all.versionHashModifier = "m"
    all.allowsExternalBinaryDataStorage = true
    all.preservesValueAfterDeletion = true
    #expect(all.versionHash.bytes == sha(sha(text("a"), [1, 0], text("m")), number(800), [1], [1]))
    #expect(
      Attribute(name: "ñ", type: .undefined, isTransient: true).versionHash.bytes
        == sha(sha(text("ñ"), [2, 0]), number(0)))
  }

  @Test("the hash has the number of the attribute's type", arguments: AttributeType.allCases)
  func types(type: AttributeType) {
    guard type != .composite else { return }
    #expect(
      Attribute(name: "a", type: type).versionHash.bytes == sha(sha(text("a"), [0, 0]), number(type.rawValue)))
  }

  @Test("settings that aren't in the hash don't change it")
  func ignored() throws {
    var attribute = Attribute(name: "a", type: .string)
    let before = attribute.versionHash
    attribute.defaultValue = .string("x")
    attribute.isIndexed = true
    attribute.limits = .init(minimum: .integer(1))
    attribute.renamingIdentifier = "old"
    attribute.valueTransformerName = "T"
    attribute.userInfo = ["k": "v"]
    #expect(attribute.versionHash == before)
    var relationship = Relationship(name: "r", destinationEntityName: "E")
    let other = relationship.versionHash
    relationship.deleteRule = .cascade
    relationship.renamingIdentifier = "old"
    relationship.isIndexed = true
    #expect(relationship.versionHash == other)
    let entity = Entity(name: "E", attributes: [attribute])
    var decorated = entity
    decorated.managedObjectClassName = "C"
    decorated.renamingIdentifier = "old"
    decorated.fetchIndexes = [FetchIndex(name: "i", elements: [.init(property: "a")])]
    decorated.compoundIndexes = [["a"]]
    decorated.fetchedProperties = [FetchedProperty(name: "f")]
    decorated.attributes.append(Attribute(name: "t", type: .string, isTransient: true))
    #expect(try hash(decorated) == hash(entity))
  }

  @Test("a relationship's counts, destination and order are in its hash")
  func relationships() {
    let relationship = Relationship(
      name: "r", destinationEntityName: "E", isOptional: true, isOrdered: true, minimumCount: 2,
      maximumCount: -1)
    #expect(
      relationship.versionHash.bytes == sha(sha(text("r"), [1, 0]), text("E"), number(-1), number(2), [1, 0]))
  }

  @Test(
    "a composite attribute's hash is made from its elements' hashes in the order of names, without its own name"
  )
  func composites() {
    let elements = [Attribute(name: "b", type: .string), Attribute(name: "B", type: .date)]
    let composite = Attribute(name: "x", type: .composite, isOptional: true, elements: elements)
    #expect(composite.versionHash.bytes == sha(elements[1].versionHash.bytes, elements[0].versionHash.bytes))
  }

  @Test(
    "properties are in code point order with inherited ones; constraints are sorted by text, the modifier is last"
  )
  func entities() throws {
    let parent = Entity(
      name: "P", isAbstract: true, versionHashModifier: "pm", attributes: [Attribute(name: "m", type: .string)],
      uniquenessConstraints: [["z"], ["a", "m"]])
    let child = Entity(
      name: "C", superentityName: "P",
      attributes: [Attribute(name: "addMissing", type: .string), Attribute(name: "Z", type: .string)])
    func a(_ name: String) -> [UInt8] { Attribute(name: name, type: .string).versionHash.bytes }
    let parentHash = sha(text("P"), [1], a("m"), text("a.m"), text("z"), text("pm"))
    #expect(try hash(parent) == parentHash)
    #expect(
      try hash(child, beside: [parent]) == sha(text("C"), [0], parentHash, a("Z"), a("addMissing"), a("m")))
  }

  @Test("a property of the same name in a subentity replaces the parent's")
  func override() throws {
    let parent = Entity(name: "P", attributes: [Attribute(name: "a", type: .string)])
    let child = Entity(name: "C", superentityName: "P", attributes: [Attribute(name: "a", type: .date)])
    let parentHash = sha(text("P"), [0], Attribute(name: "a", type: .string).versionHash.bytes)
    #expect(
      try hash(child, beside: [parent])
        == sha(text("C"), [0], parentHash, Attribute(name: "a", type: .date).versionHash.bytes))
  }

  @Test("a version hash has 32 bytes")
  func bytes() {
    #expect(VersionHash(Data(count: 32))?.hexadecimal == String(repeating: "0", count: 64))
    for count in [0, 31, 33] { #expect(VersionHash(Data(count: count)) == nil) }
    #expect(VersionHash(hexadecimal: String(repeating: "0g", count: 32)) == nil)
  }
}

extension VersionHash {
  init?(hexadecimal: String) {
    let digits = Array(hexadecimal)
    let bytes = stride(from: 0, to: digits.count - digits.count % 2, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
    self.init(Data(bytes))
  }
}
