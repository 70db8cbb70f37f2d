import DecantModel
import DecantTestSupport
import KeyedArchive
import Testing

/// Converts fetch indexes of a compiled model back (docs/formats/core-data-sqlite.md 5.2, 5.3).
@Suite struct CompiledIndexTests {
  private struct Index {
    let name: String
    let properties: [String]
    var isAscending = true
    var kind: Int64 = 0
  }

  private func entity(
    marked: Set<String>, compound: [[String]]? = nil, indexes: [Index]? = nil
  ) throws -> Entity {
    var writer = ArchiveWriter()
    let properties = ["a", "b"].map { name in
      (
        name,
        writer.add(
          "NSAttributeDescription",
          [
            "NSPropertyName": .string(name), "NSAttributeType": .integer(700),
            "NSIsIndexed": .boolean(marked.contains(name)),
          ])
      )
    }
    var keys: [String: PropertyList] = [:]
    if let compound {
      let lists = compound.map { writer.array($0.map(PropertyList.string)) }
      keys["NSCompoundIndexes"] = writer.array(lists)
    }
    if let indexes {
      let descriptions = indexes.map { index in
        let elements = index.properties.map { property in
          writer.add(
            "NSFetchIndexElementDescription",
            [
              "NSPropertyName": .string(property), "NSAscending": .boolean(index.isAscending),
              "NSFetchIndexElementType": .integer(index.kind),
            ])
        }
        let list = writer.array(elements)
        return writer.add(
          "NSFetchIndexDescription", ["NSIndexName": .string(index.name), "NSIndexElements": list])
      }
      keys["NSFetchIndexDescriptions"] = writer.array(descriptions)
    }
    let root = OneEntity.root(&writer, properties: properties, keys: keys)
    return try #require(CompiledModelReader.read(writer.data(root: root)).model.entity(named: "E"))
  }

  private func marked(_ entity: Entity) -> [String] { entity.attributes.filter(\.isIndexed).map(\.name) }

  @Test func anOlderCompilerWritesMarksAndCompoundIndexesAlone() throws {
    let entity = try entity(marked: ["a"], compound: [["a", "b"]])
    #expect(marked(entity) == ["a"])
    #expect(entity.compoundIndexes == [["a", "b"]])
    #expect(entity.fetchIndexes.isEmpty)
  }

  @Test func aMarkThatIsAFetchIndexAsWellIsAMark() throws {
    let entity = try entity(marked: ["a"], compound: [], indexes: [Index(name: "a", properties: ["a"])])
    #expect(marked(entity) == ["a"])
    #expect(entity.fetchIndexes.isEmpty)
  }

  @Test func aFetchIndexWithOneElementTakesItsMarkBack() throws {
    let entity = try entity(
      marked: ["a"], compound: [],
      indexes: [Index(name: "a", properties: ["a"]), Index(name: "byA", properties: ["a"])])
    #expect(marked(entity) == [])
    #expect(entity.fetchIndexes.map(\.name) == ["byA"])
  }

  @Test func aDescendingFetchIndexLeavesTheMarkAlone() throws {
    let entity = try entity(
      marked: ["a"],
      indexes: [Index(name: "a", properties: ["a"]), Index(name: "byB", properties: ["b"], isAscending: false)])
    #expect(marked(entity) == ["a"])
    #expect(entity.fetchIndexes.map(\.name) == ["byB"])
    #expect(entity.fetchIndexes.first?.elements.first?.isAscending == false)
  }

  @Test(arguments: [[], [["a", "b"]]])
  func aCompoundIndexIsOneWhetherItIsListedOrNot(compound: [[String]]) throws {
    let entity = try entity(
      marked: [], compound: compound, indexes: [Index(name: "a_b", properties: ["a", "b"])])
    #expect(entity.compoundIndexes == [["a", "b"]])
    #expect(entity.fetchIndexes.isEmpty)
  }

  @Test func aFetchIndexThatIsListedAsCompoundToIsAFetchIndex() throws {
    let entity = try entity(
      marked: [], compound: [["a", "b"]], indexes: [Index(name: "both", properties: ["a", "b"])])
    #expect(entity.compoundIndexes.isEmpty)
    #expect(entity.fetchIndexes.map(\.name) == ["both"])
  }

  @Test func anRTreeStaysOneAndAnUnknownKindIsRefused() throws {
    let entity = try entity(marked: [], indexes: [Index(name: "area", properties: ["a", "b"], kind: 1)])
    #expect(entity.fetchIndexes.first?.elements.map(\.kind) == [.rTree, .rTree])
    #expect(throws: ModelError.self) {
      try self.entity(marked: [], indexes: [Index(name: "area", properties: ["a"], kind: 2)])
    }
  }
}
