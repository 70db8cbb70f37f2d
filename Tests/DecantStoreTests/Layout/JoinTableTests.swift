import DecantModel
import DecantTestSupport
import Testing

@testable import DecantStore

/// The rules of docs/formats/core-data-sqlite.md 4.
@Suite("Join tables")
struct JoinTableTests {
  private func pair(_ one: String, _ other: String, _ name: String, _ inverse: String) -> [Entity] {
    [
      Layouts.entity(one, [], [Layouts.toMany(name, other, inverse)]),
      Layouts.entity(other, [], [Layouts.toMany(inverse, one, name)]),
    ]
  }

  // docs/formats/core-data-sqlite.md 4.1, 4.2, 4.7
  @Test("the end whose entity comes first by name names the table, which has an index from framework 637 on")
  func plain() throws {
    let entities = pair("Conversation", "Label", "labels", "conversations")
    let table =
      "CREATE TABLE Z_1LABELS ( Z_1CONVERSATIONS INTEGER, Z_2LABELS INTEGER, PRIMARY KEY (Z_1CONVERSATIONS, Z_2LABELS) )"
    let index = "CREATE INDEX Z_1LABELS_Z_2LABELS_INDEX ON Z_1LABELS (Z_2LABELS, Z_1CONVERSATIONS)"
    #expect(
      try Layouts.statements(entities).prefix(4).dropFirst() == [
        table, "CREATE TABLE ZLABEL ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )", index,
      ])
    #expect(try Layouts.statements(entities, framework: 641).contains(index))
    #expect(try !Layouts.statements(entities, framework: 519).contains(index))
    #expect(try Layouts.statements(entities, framework: 519).contains(table))
  }

  private func tables(_ entities: [Entity]) throws -> [String] {
    try Layouts.layout(entities).joinTables.map { "\($0.name) \($0.first.column) \($0.second.column)" }.sorted()
  }

  // docs/formats/core-data-sqlite.md 4.3
  @Test("relationships with one name to one entity get digits in the order in which they are met")
  func clash() throws {
    let entities = [
      Layouts.entity("Reaction", [], [Layouts.toMany("users", "User", "reactions")]),
      Layouts.entity("AMessage", [], [Layouts.toMany("users", "User", "systemMessages")]),
      Layouts.entity("Zone", [], [Layouts.toMany("users", "User", "apps")]),
      Layouts.entity(
        "User", [],
        [
          Layouts.toMany("reactions", "Reaction", "users"),
          Layouts.toMany("systemMessages", "AMessage", "users"), Layouts.toMany("apps", "Zone", "users"),
        ]),
    ]
    #expect(
      try tables(entities) == [
        "Z_1USERS Z_1SYSTEMMESSAGES Z_3USERS", "Z_2USERS Z_2REACTIONS Z_3USERS1", "Z_3APPS Z_3USERS2 Z_4APPS",
      ])
  }

  // docs/formats/core-data-sqlite.md 4.1
  @Test("a subentity is ordered by its name, not by its number; digits follow this order, too")
  func orderByName() throws {
    // The order by name is Aaa, Message, Reaction, System, User. The numbers are Aaa 1, Reaction 2, User 3, Zoo 4,
    // Message 5.
    let entities = [
      Layouts.entity("Aaa"), Layouts.entity("Zoo"),
      Layouts.entity("Message", below: "Zoo", [], [Layouts.toMany("users", "User", "messages")]),
      Layouts.entity("Reaction", [], [Layouts.toMany("users", "User", "reactions")]),
      Layouts.entity(
        "User", [],
        [Layouts.toMany("messages", "Message", "users"), Layouts.toMany("reactions", "Reaction", "users")]),
    ]
    #expect(
      try tables(entities) == ["Z_2USERS Z_2REACTIONS Z_3USERS1", "Z_5USERS Z_5MESSAGES Z_3USERS"])
  }

  // docs/formats/core-data-sqlite.md 4.1
  @Test("a relationship is met through a subentity that comes first by name, as in CareKit 2.1")
  func metThroughSubentity() throws {
    func entities(subentity: String) -> [Entity] {
      [
        Layouts.entity("CarePlan", [], [Layouts.toMany("tags", "Tag", "carePlans")]),
        Layouts.entity("TaskBase", isAbstract: true, [], [Layouts.toMany("tags", "Tag", "tasks")]),
        Layouts.entity(subentity, below: "TaskBase"),
        Layouts.entity("Patient", [], [Layouts.toMany("tags", "Tag", "patients")]),
        Layouts.entity(
          "Tag", [],
          [
            Layouts.toMany("carePlans", "CarePlan", "tags"), Layouts.toMany("tasks", "TaskBase", "tags"),
            Layouts.toMany("patients", "Patient", "tags"),
          ]),
      ]
    }
    // Tag has number 3 and TaskBase 4, but HealthKitTask comes before Tag by name.
    #expect(
      try tables(entities(subentity: "HealthKitTask")) == [
        "Z_1TAGS Z_1CAREPLANS Z_3TAGS", "Z_2TAGS Z_2PATIENTS Z_3TAGS2", "Z_4TAGS Z_4TASKS Z_3TAGS1",
      ])
    // A subentity whose name comes after Tag changes both the naming end and the digits.
    #expect(
      try tables(entities(subentity: "ZTask")) == [
        "Z_1TAGS Z_1CAREPLANS Z_3TAGS", "Z_2TAGS Z_2PATIENTS Z_3TAGS1", "Z_3TASKS Z_3TAGS2 Z_4TASKS",
      ])
  }

  // docs/formats/core-data-sqlite.md 4.1
  @Test("each end may be inherited by its entity")
  func inheritedEnd() throws {
    let entities = [
      Layouts.entity("Base", isAbstract: true, [], [Layouts.toMany("notes", "Note", "items")]),
      Layouts.entity("Item", below: "Base"),
      Layouts.entity("Note", [], [Layouts.toMany("items", "Item", "notes")]),
    ]
    #expect(try tables(entities) == ["Z_1NOTES Z_2ITEMS Z_3NOTES"])
  }

  // docs/formats/core-data-sqlite.md 4.3
  @Test("digits of ends of one entity follow the hash order of its properties, as in artsy")
  func digitsInHashOrder() throws {
    let names = ["shows", "locations"]
    let entities = [
      Layouts.entity("Album", [], [Layouts.toMany("artworks", "Artwork", "albums")]),
      Layouts.entity(
        "Artwork", [],
        [
          Layouts.toMany("albums", "Album", "artworks"), Layouts.toMany("shows", "Show", "artworks"),
          Layouts.toMany("locations", "Place", "artworks"),
        ]),
      Layouts.entity("Place", [], [Layouts.toMany("artworks", "Artwork", "locations")]),
      Layouts.entity("Show", [], [Layouts.toMany("artworks", "Artwork", "shows")]),
    ]
    let order = try #require(PropertyHashOrder.names(["albums"] + names)).filter(names.contains)
    let digits = Dictionary(uniqueKeysWithValues: zip(order, 1...))
    let layout = try Layouts.layout(entities)
    for (name, entity) in [("shows", "Show"), ("locations", "Place")] {
      let table = try #require(layout.joinTable(name, of: "Artwork"))
      #expect(table.isNaming)
      #expect(table.table.first.column == "Z_2ARTWORKS\(try #require(digits[name]))", "\(entity)")
    }
    #expect(layout.joinTable("artworks", of: "Album")?.table.second.column == "Z_2ARTWORKS")
  }

  /// An entity with both ends, and attributes up to that number of properties.
  private func own(_ name: String, _ one: String, _ other: String, attributes: [String] = []) -> Entity {
    Layouts.entity(
      name, attributes.map { ($0, .string) },
      [Layouts.toMany(one, name, other), Layouts.toMany(other, name, one)])
  }

  // docs/formats/core-data-sqlite.md 4.4
  @Test("if both ends are on one entity, the hash order of all its property names decides")
  func hashOrder() throws {
    let todo = own(
      "TodoItem", "blockedBy", "blocking", attributes: ["date", "done", "name", "notes", "project", "repeats"])
    #expect(
      try Layouts.statement("CREATE TABLE Z_2BLOCKING", [Layouts.entity("Project"), todo])
        == "CREATE TABLE Z_2BLOCKING ( Z_2BLOCKEDBY INTEGER, Z_2BLOCKING INTEGER, PRIMARY KEY (Z_2BLOCKEDBY, Z_2BLOCKING) )"
    )
    // One more attribute can change the name of the table.
    let names = try (0..<40).map { count in
      let entity = own("E", "previous", "next", attributes: (0..<count).map { "a\($0)" })
      return try #require(Layouts.layout([entity]).joinTables.first).name
    }
    #expect(Set(names) == ["Z_1PREVIOUS", "Z_1NEXT"])
  }

  // docs/formats/core-data-sqlite.md 4.4
  @Test("inherited properties count, those of subentities don't, and long names have the right hashes")
  func hashOfInheritedAndLong() throws {
    let long = String(repeating: "veryLongNameOfAProperty", count: 6)
    for count in 0..<12 {
      let attributes = (0..<count).map { "a\($0)" } + [long]
      let child = Layouts.entity(
        "E", below: "Parent", [],
        [Layouts.toMany("next", "E", "previous"), Layouts.toMany("previous", "E", "next")])
      let parent = Layouts.entity("Parent", attributes.map { ($0, .string) })
      let order = try #require(PropertyHashOrder.names(attributes + ["next", "previous"]))
      let first = try #require(order.first { ["next", "previous"].contains($0) })
      #expect(try Layouts.layout([parent, child]).joinTables.first?.name == "Z_2\(first.uppercased())")
    }
  }

  // docs/formats/core-data-sqlite.md 4.4
  @Test("of a string longer than 96 units, only three parts and the whole length count")
  func longNames() {
    let (a, b, c) = (
      String(repeating: "a", count: 32), String(repeating: "b", count: 32), String(repeating: "c", count: 32)
    )
    let pad = String(repeating: "x", count: 40)
    let other = String(repeating: "y", count: 40)
    // 32 at the start, 32 in the middle, 32 at the end; the parts between don't count.
    #expect(
      PropertyHashOrder.hash32(a + pad + b + pad + c) == PropertyHashOrder.hash32(a + other + b + other + c))
    #expect(
      PropertyHashOrder.hash32(a + pad + b + pad + c) != PropertyHashOrder.hash32(a + pad + b + pad + "z" + c))
    #expect(PropertyHashOrder.hash32(a + b + c) != PropertyHashOrder.hash32(a + b + String(c.dropLast()) + "d"))
    #expect(PropertyHashOrder.hash32("blocking") == 2_521_629_265)
    #expect(PropertyHashOrder.hash32("blockedBy") == 2_615_670_424)
  }

  // docs/formats/core-data-sqlite.md 4.4
  @Test("if the order of too many properties decides, the table isn't guessed")
  func tooManyProperties() throws {
    let entity = own("E", "a", "b", attributes: (0..<600).map { "x\($0)" })
    let error = #expect(throws: LayoutError.self) { try Layouts.statements([entity]) }
    #expect(
      error?.description.contains(
        "E.a: which end names the join table: the order of the properties isn't known for “E” (602 properties are "
          + "too many for the known rule)") == true)
    #expect(error?.description.contains("reference") == true)
    // Here the fetched property is one too many.
    var fetching = own("E", "a", "b", attributes: (0..<516).map { "x\($0)" })
    fetching.fetchedProperties = [FetchedProperty(name: "fetched")]
    let naming = JoinNaming(model: try ManagedObjectModel(entities: [fetching]), reading: .likely)
    #expect(naming.openEntities.map(\.reason) == ["519 properties are too many for the known rule"])
    let evidence = ["Z_1B": ["Z_1A", "Z_1B"]]
    #expect(
      try Layouts.statements([entity], evidence: evidence).contains {
        $0.hasPrefix("CREATE TABLE Z_1B ( Z_1A ")
      })
    #expect(try !Layouts.statements([own("E", "a", "b", attributes: (0..<516).map { "x\($0)" })]).isEmpty)
    // If the ends are on unrelated entities, the first entity names the table, however many properties it has.
    let many = Layouts.entity(
      "A", (0..<600).map { ("x\($0)", .string) }, [Layouts.toMany("bs", "B", "as")])
    #expect(
      try tables([many, Layouts.entity("B", [], [Layouts.toMany("as", "A", "bs")])]) == ["Z_1BS Z_1AS Z_2BS"])
  }

  // docs/formats/core-data-sqlite.md 4.4
  @Test("fetched properties are an open point only if they change a name")
  func fetchedProperties() throws {
    var refused = 0
    for count in 0..<30 {
      let attributes = (0..<count).map { "a\($0)" }
      var entity = own("E", "previous", "next", attributes: attributes)
      entity.fetchedProperties = [FetchedProperty(name: "fetched")]
      let names = attributes + ["previous", "next"]
      func first(_ names: [String]) -> String? {
        PropertyHashOrder.names(names)?.first { ["previous", "next"].contains($0) }
      }
      let layout = try Layouts.layout([entity])
      #expect(layout.unsettled.isEmpty == (first(names) == first(names + ["fetched"])), "\(count)")
      guard !layout.unsettled.isEmpty else { continue }
      refused += 1
      #expect("\(layout.unsettled)".contains("“E” (its fetched properties may or may not count)"))
      let name = "Z_1\(first(names)?.uppercased() ?? "")"
      #expect(
        try Layouts.layout([entity], evidence: [name: ["Z_1NEXT", "Z_1PREVIOUS"]]).joinTables.map(\.name)
          == [name])
    }
    #expect(refused > 0)
  }

  @Test("if a digit makes names equal, or if names differ only in case, the columns aren't guessed")
  func doubtfulLabels() throws {
    func entities(_ names: [String]) -> [Entity] {
      let inverses = names.indices.map { "i\($0)" }
      return names.enumerated().map { index, name in
        Layouts.entity("E\(index)", [], [Layouts.toMany(name, "User", inverses[index])])
      } + [
        Layouts.entity(
          "User", [],
          names.enumerated().map { Layouts.toMany(inverses[$0.offset], "E\($0.offset)", $0.element) })
      ]
    }
    #expect(try Layouts.layout(entities(["users", "users", "users2"])).unsettled.isEmpty)
    for names in [["users", "users", "users1"], ["users", "Users"]] {
      let error = #expect(throws: LayoutError.self) { try Layouts.statements(entities(names)) }
      #expect(
        error?.description.contains("E0.users: the name of its column, where other columns are named like “Z_")
          == true)
    }
  }

  // docs/formats/core-data-sqlite.md 4.6
  @Test("an ordered end has a column of its own for the order")
  func ordered() throws {
    let entities = [
      Layouts.entity("A", [], [Layouts.toMany("bs", "B", "as", isOrdered: true)]),
      Layouts.entity("B", [], [Layouts.toMany("as", "A", "bs", isOrdered: true)]),
    ]
    #expect(
      try Layouts.statement("CREATE TABLE Z_1BS", entities)
        == "CREATE TABLE Z_1BS ( Z_1AS INTEGER, Z_2BS INTEGER, Z_FOK_1AS INTEGER, Z_FOK_2BS INTEGER, PRIMARY KEY (Z_1AS, Z_2BS) )"
    )
  }

  // docs/formats/core-data-sqlite.md 4.8
  @Test("ends with subentities have no entity columns, and the table of a genuine store is used")
  func families() throws {
    let entities =
      pair("A", "B", "bs", "as") + [Layouts.entity("C", below: "B")]
    #expect(try tables(entities) == ["Z_1BS Z_1AS Z_2BS"])
    let layout = try Layouts.layout(entities, evidence: ["Z_2AS": ["Z_2BS1", "Z_1AS"]])
    #expect(
      layout.joinTables.map { [$0.name, $0.first.column, $0.second.column] } == [["Z_2AS", "Z_2BS1", "Z_1AS"]])
    #expect(layout.unsettled.isEmpty)
  }

  @Test("tables of a relationship that is its own inverse, or of one-sided inverses, aren't guessed")
  func oddInverses() throws {
    let own = [Layouts.entity("A", [], [Layouts.toMany("friends", "A", "friends")])]
    #expect(
      #expect(throws: LayoutError.self) { try Layouts.statements(own) }?.description.contains(
        "A.friends: how the join table of a relationship that is its own inverse is laid out") == true)
    let crossed = [
      Layouts.entity("A", [], [Layouts.toMany("x", "B", "y"), Layouts.toMany("z", "B", "y")]),
      Layouts.entity("B", [], [Layouts.toMany("y", "A", "x")]),
    ]
    #expect(
      #expect(throws: LayoutError.self) { try Layouts.statements(crossed) }?.description.contains(
        "A.z: which join table it has, because its inverse “B.y” names another inverse") == true)
    // No genuine store shows how to read such a table.
    #expect(
      #expect(throws: LayoutError.self) {
        try Layouts.statements(own, evidence: ["Z_1FRIENDS": ["Z_1FRIENDS", "Z_1FRIENDS1"]])
      }?.description.contains("Not even a genuine store settles that") == true)
    let repeated = [
      Layouts.entity("A", [], [Layouts.toMany("bs", "B", "as")]),
      Layouts.entity("Child", below: "A", [], [Layouts.toMany("bs", "B", "as")]),
      Layouts.entity("B", [], [Layouts.toMany("as", "A", "bs")]),
    ]
    #expect(
      #expect(throws: LayoutError.self) { try Layouts.statements(repeated) }?.description.contains(
        "Child.bs: whether a relationship that its parent entity also declares has a join table of its own")
        == true)
  }
}
