import DecantModel
import Testing

@Suite("Traits of attribute types")
struct AttributeTraitsTests {
  @Test("each type has its own name, and is found by it")
  func names() {
    for type in AttributeType.allCases { #expect(AttributeType(named: type.name) == type) }
  }

  @Test("a type has a column only if its values have a content, and the columns of a group have one SQL type")
  func columns() {
    var types: [Int: Set<String>] = [:]
    for type in AttributeType.allCases {
      #expect((type.traits.column == nil) == (type.content == nil), "\(type)")
      if let (group, column) = type.traits.column { types[group, default: []].insert(column) }
    }
    #expect(types[2] == ["TIMESTAMP", "FLOAT"])
    for (group, columns) in types where group != 2 { #expect(columns.count == 1, "\(group)") }
  }

  @Test("the range of an integer type is the range that its name says")
  func ranges() {
    #expect(AttributeType.integer16.integerRange == Int64(Int16.min)...Int64(Int16.max))
    #expect(AttributeType.integer32.integerRange == Int64(Int32.min)...Int64(Int32.max))
    #expect(AttributeType.integer64.integerRange == Int64.min...Int64.max)
    #expect(AttributeType.boolean.integerRange == nil)
  }
}
