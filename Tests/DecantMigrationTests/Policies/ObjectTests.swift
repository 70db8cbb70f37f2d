import DecantPolicies
import DecantStore
import Foundation
import Testing

@testable import DecantMigration

@Suite("Policies: managed objects") struct ObjectTests {
  /// Runs `body` for each destination object, after the base class has set its relationships.
  final class Trying: EntityMigrationPolicy {
    static let body = Body()

    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
      let source = manager.sourceInstances(
        forEntityMappingName: mapping.name, destinationInstances: [dInstance])
      guard let text = source.first?.value(forKey: "task") as? String else { return }
      try Trying.body.run(text, dInstance, source[0], manager)
    }
  }

  /// The test's code for each name.
  struct Body: Sendable {
    func run(
      _ name: String, _ object: ManagedObject, _ source: ManagedObject, _ manager: MigrationManager
    ) throws {
      let context = manager.destinationContext
      func tag(_ key: Int64) throws -> ManagedObject {
        try #require(try context.fetch(.init(entity: "Tag")).first { $0.objectID.key == key })
      }
      switch name {
      case "types":
        #expect(source.value(forKey: "number") as? Int == 7)
        #expect(source.value(forKey: "number") as? Int16 == 7)
        #expect(source.value(forKey: "number") as? NSNumber == 7)
        #expect(source.value(forKey: "flag") as? Bool == true)
        #expect(source.value(forKey: "when") as? Date == Date(timeIntervalSinceReferenceDate: 1.5))
        #expect(source.value(forKey: "cost") as? Decimal == Decimal(string: "12.5"))
        #expect(source.value(forKey: "bytes") as? Data == Data([1, 2]))
        #expect(source.value(forKey: "id") as? UUID == UUID(uuidString: "01020304-0506-0708-090A-0B0C0D0E0F10"))
        #expect(source.value(forKey: "link") as? URL == URL(string: "https://example.org/a"))
        #expect(source.value(forKey: "missing") == nil)
        object.setValue(8, forKey: "number")
        object.setValue(false, forKey: "flag")
        object.setValue(Date(timeIntervalSinceReferenceDate: 2.25), forKey: "when")
        object.setValue(Decimal(string: "0.1"), forKey: "cost")
        object.setValue(Data([9]), forKey: "bytes")
        object.setValue(UUID(uuidString: "01020304-0506-0708-090A-0B0C0D0E0F11"), forKey: "id")
        object.setValue(URL(string: "https://example.org/b"), forKey: "link")
        let nothing: String? = nil
        object.setValue(nothing, forKey: "missing")
        #expect(object.value(forKey: "number") as? Int == 8)
        #expect(object.value(forKey: "cost") as? Decimal == Decimal(string: "0.1"))
        #expect(object.changedValues().keys.contains("number"))
        try context.save()
      case "to-one":
        object.setValue(try tag(1), forKey: "tag")
        #expect((try tag(1).value(forKey: "notes") as? Set<ManagedObject>)?.contains(object) == true)
        #expect(object.value(forKeyPath: "tag.name") as? String == "x")
        object.setValue(try tag(2), forKey: "tag")
        #expect((try tag(1).value(forKey: "notes") as? NSSet)?.contains(object) == false)
      case "set":
        try tag(2).setValue(NSSet(array: [object]), forKey: "notes")
        #expect(object.value(forKey: "tag") as? ManagedObject === (try tag(2)))
        try tag(1).mutableSetValue(forKey: "notes").add(object)
        #expect(object.value(forKey: "tag") as? ManagedObject === (try tag(1)))
        #expect(try tag(2).mutableSetValue(forKey: "notes").count == 0)
        let view = try tag(1).mutableSetValue(forKey: "notes")
        #expect(view.allObjects as? [ManagedObject] == [object] && view.contains(object))
        try tag(1).mutableSetValue(forKey: "notes").remove(object)
        #expect(object.value(forKey: "tag") == nil)
      case "ordered":
        let marks = try context.fetch(.init(entity: "Mark"))
        try ObjectTests.changeAlone(object, marks)
        let ordered = object.mutableOrderedSetValue(forKey: "marks")
        ordered.add(marks[2])
        ordered.insert(marks[0], at: 0)
        ordered.add(marks[1])
        #expect(ordered.array as? [ManagedObject] == [marks[0], marks[2], marks[1]])
        ordered.removeObject(at: 0)
        #expect((marks[0].value(forKey: "notes") as? NSSet)?.count == 0)
        object.mutableOrderedSetValue(forKey: "marks").insert(marks[0], at: 1)
      case "one-to-one":
        let pages = try context.fetch(.init(entity: "Page", order: [("name", false)]))
        #expect(pages.map { $0.value(forKey: "name") as? String } == ["q", "p"])
        object.setValue(pages[0], forKey: "page")
        object.setValue(pages[1], forKey: "page")
        #expect(pages[0].value(forKey: "note") == nil)
        #expect(pages[1].value(forKey: "note") as? ManagedObject === object)
      case "delete":
        let found = try context.fetch(
          .init(
            entity: "Tag",
            predicate: .compare(.path(from: .selfObject, [.key("name")]), .equal, .constant(.string("y")))))
        #expect(found.count == 1)
        object.setValue(found.first, forKey: "tag")
        found.forEach(context.delete)
        #expect(object.value(forKey: "tag") == nil)
        #expect(try context.count(for: .init(entity: "Tag")) == 1)
      default: Issue.record("\(name)?")
      }
    }
  }

  /// Checks that each method that changes an ordered set changes the relationship.
  fileprivate static func changeAlone(_ object: ManagedObject, _ marks: [ManagedObject]) throws {
    let changes: [(String, (NSMutableOrderedSet) -> Void, [Int])] = [
      ("add", { $0.add(marks[1]) }, [1]),
      ("addObjects", { $0.addObjects(from: [marks[0], marks[2]]) }, [1, 0, 2]),
      ("exchangeObject", { $0.exchangeObject(at: 0, withObjectAt: 2) }, [2, 0, 1]),
      ("moveObjects", { $0.moveObjects(at: IndexSet(integer: 0), to: 2) }, [0, 1, 2]),
      ("remove", { $0.remove(marks[1]) }, [0, 2]),
      ("union", { $0.union(NSOrderedSet(array: [marks[1]])) }, [0, 2, 1]),
      ("minus", { $0.minus(NSOrderedSet(array: [marks[0]])) }, [2, 1]),
      (
        "sort",
        {
          $0.sort { first, _ in
            first as? ManagedObject === marks[1] ? .orderedAscending : .orderedDescending
          }
        }, [1, 2]
      ),
      ("setObject", { $0.setObject(marks[0], at: 0) }, [0, 2]),
      ("replaceObject", { $0.replaceObject(at: 1, with: marks[1]) }, [0, 1]),
      ("insert", { $0.insert([marks[2]], at: IndexSet(integer: 1)) }, [0, 2, 1]),
      ("intersect", { $0.intersect(NSOrderedSet(array: [marks[2], marks[1]])) }, [2, 1]),
      ("unionSet", { $0.unionSet([AnyHashable(marks[0])]) }, [2, 1, 0]),
      ("minusSet", { $0.minusSet([AnyHashable(marks[1])]) }, [2, 0]),
      ("intersectSet", { $0.intersectSet([AnyHashable(marks[0])]) }, [0]),
      ("removeObject", { $0.removeObject(at: 0) }, []),
      ("add twice", { $0.addObjects(from: [marks[0], marks[0]]) }, [0]),
      ("removeObjects in a range", { $0.removeObjects(in: NSRange(location: 0, length: 1)) }, []),
      ("addObjects again", { $0.addObjects(from: marks) }, [0, 1, 2]),
      ("removeObjects", { $0.removeObjects(in: [marks[0]]) }, [1, 2]),
      ("removeObjects at", { $0.removeObjects(at: IndexSet(integer: 1)) }, [1]),
      ("removeAllObjects", { $0.removeAllObjects() }, []),
    ]
    for (name, change, wanted) in changes {
      change(object.mutableOrderedSetValue(forKey: "marks"))
      let held = (object.value(forKey: "marks") as? NSOrderedSet)?.array as? [ManagedObject]
      #expect(held == wanted.map { marks[$0] }, "\(name)")
    }
  }

  private static let old = """
    Note
      task String?
      number Int64?
      flag Bool?
      when Date?
      cost Decimal?
      bytes Binary?
      id UUID?
      link URI?
      missing String?
      tag -> Tag.notes
      marks ->> Mark.notes ordered
      page -> Page.note
    Tag
      name String?
      notes ->> Note.tag
    Mark
      notes ->> Note.marks
    Page
      name String?
      note -> Note.page
    """

  @Test(
    "values of all types, and other objects, can be read from objects and set",
    arguments: [
      (
        "types",
        "bytes=x09 cost=0.1 flag=0 id=x0102030405060708090a0b0c0d0e0f11 link='https://example.org/b' number=8 "
          + "task='types' when=2.25"
      ),
      ("to-one", "tag=Tag#2"), ("set", ""), ("ordered", "marks=(Mark#3 Mark#1 Mark#2)"),
      ("one-to-one", "page=Page#1"),
      ("delete", ""),
    ])
  func objects(todo: String, expected: String) throws {
    var shop = try Workshop(Self.old, Self.old + "\n more String?")
    shop.policies.add(Trying.self)
    try shop.map(
      """
      { source: "Tag", destination: "Tag" }, { source: "Mark", destination: "Mark" },
      { source: "Page", destination: "Page" }, { source: "Note", destination: "Note", policy: "Trying" },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTASK, ZNUMBER, ZFLAG, ZWHEN, ZCOST, ZBYTES, ZID, ZLINK) VALUES
        (5, 2, 1, '\(todo)', 7, 1, 1.5, 12.5, x'0102', x'0102030405060708090A0B0C0D0E0F10', 'https://example.org/a');
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 4, 1, 'x'), (2, 4, 1, 'y');
      INSERT INTO ZMARK (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1);
      INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'p'), (2, 3, 1, 'q');
      """)
    let lines = try shop.lines()
    let note = try #require(lines.first { $0.hasPrefix("Note#5") })
    let plain =
      "bytes=x0102 cost=12.5 flag=1 id=x0102030405060708090a0b0c0d0e0f10 link='https://example.org/a' number=7 "
      + "task='\(todo)' when=1.5"
    #expect(note == "Note#5 " + (todo == "types" ? expected : plain + (expected.isEmpty ? "" : " " + expected)))
    #expect(lines.contains { $0.hasPrefix("Tag#2") } == (todo != "delete"))
  }

  /// Moves each note into the box that its text names.
  final class Moving: EntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
      guard let text = dInstance.value(forKey: "text") as? String, text != "stay",
        let name = text.split(separator: " ").first
      else { return }
      let query = ManagedObjectContext.Query(
        entity: "Box",
        predicate: .compare(.path(from: .selfObject, [.key("name")]), .equal, .constant(.string(String(name)))))
      let box = try #require(try manager.destinationContext.fetch(query).first)
      dInstance.setValue(box, forKey: "box")
    }
  }

  @Test(
    "an object that moves to another owner comes last in the owner's ordered relationship",
    arguments: [nil, 1])
  func movedBetweenOrderedOwners(size: Int?) throws {
    let places = try Self.moved("set", size)
    #expect(places == Self.places, "\(places)")
  }

  private static let places = ["1 1 2048", "2 1 3072", "3 2 2048", "4 2 3072"]

  /// The notes as `key owner order-number`.
  private static func moved(_ way: String, _ size: Int?) throws -> [String] {
    let text = "Box\n name String?\n notes ->> Note.box ordered\nNote\n text String?\n box -> Box.notes"
    var shop = try Workshop(text, text + "\n more String?")
    shop.policies.add(Moving.self)
    try shop.map(
      "{ source: \"Box\", destination: \"Box\" }, { source: \"Note\", destination: \"Note\", policy: \"Moving\" }"
    )
    try shop.makeStore(
      """
      INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'full'), (2, 1, 1, 'new');
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZBOX, Z_FOK_BOX) VALUES (1, 2, 1, 'stay', 1, 2048),
        (2, 2, 1, 'stay', 1, 3072), (3, 2, 1, 'new \(way)', 1, 4096), (4, 2, 1, 'new \(way)', 1, 5120);
      """)
    let store = try shop.migrate(chunkSize: size).store
    return try store.store.rows("SELECT Z_PK, ZBOX, Z_FOK_BOX FROM ZNOTE ORDER BY Z_PK").map { row in
      row.map { $0.integer.map(String.init) ?? "nil" }.joined(separator: " ")
    }
  }
}
