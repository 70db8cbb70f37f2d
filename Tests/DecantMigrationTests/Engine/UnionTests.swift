import DecantSQLite
import DecantStore
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

/// Two relationships without inverse become each other's inverse in the next version.
@Suite("Inferred steps: missing inverses added") struct UnionTests {
  /// The to-one relationship is in `ZB`, the to-many in `Z2AS`.
  ///
  /// No object has the key 99.
  private static let toOneAndToMany = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZB, Z2AS) VALUES (1, 1, 1, 11, 11), (2, 1, 1, 11, NULL), (3, 1, 1, NULL, 12),
      (4, 1, 1, 11, 12), (5, 1, 1, NULL, NULL), (6, 1, 1, 99, 12), (7, 1, 1, NULL, 99);
    INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (11, 2, 1), (12, 2, 1);
    """
  private static let open = "A\n b -> B\nB\n as ->> A"

  @Test("the to-one counts, and the to-many fills the gaps", arguments: [1, 2, 3, 100])
  func toOneAndToManyBecomeOne(chunkSize: Int) throws {
    let shop = try Workshop(Self.open, "A\n b -> B.as\nB\n as ->> A.b")
    try shop.makeStore(Self.toOneAndToMany)
    let result = try shop.migrate(chunkSize: chunkSize)
    #expect(
      result.lines == [
        "A#1 b=B#11", "A#2 b=B#11", "A#3 b=B#12", "A#4 b=B#11", "A#5", "A#6 b=B#12", "A#7",
        "B#11 as=[A#1 A#2 A#4]", "B#12 as=[A#3 A#6]",
      ])
    #expect(result.losses == ["relationship B.as 1"])
    #expect(
      result.report.warnings.contains { $0.hasPrefix("1 pair of “B.as” is left out: “B.as” and “A.b” are") },
      "\(result.report.warnings)")
    #expect(
      result.report.warnings.contains { $0.hasPrefix("1 pair of “B.as” led to a missing object") },
      "\(result.report.warnings)")
    let verified = try shop.verify()
    #expect(verified.expected.contains { $0.kind == .displaced && $0.count == 1 }, "\(verified.expected)")
  }

  @Test func endsThatAgreeLoseNothing() throws {
    let shop = try Workshop(
      Self.open, "A\n b -> B.as\nB\n as ->> A.b ordered", family: "{ dataLoss: \"refuse\" }")
    try shop.makeStore(
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZB, Z2AS) VALUES (1, 1, 1, 11, 11), (2, 1, 1, 11, 11), (3, 1, 1, 12, 12);
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (11, 2, 1), (12, 2, 1);
      """)
    let result = try shop.migrate()
    #expect(result.lines == ["A#1 b=B#11", "A#2 b=B#11", "A#3 b=B#12", "B#11 as=(A#1 A#2)", "B#12 as=(A#3)"])
    #expect(result.losses == [])
    #expect(result.report.warnings.allSatisfy { $0.hasPrefix("No -wal") })
  }

  @Test func aContradictionIsRefusedWhereTheFamilyForbidsLosses() throws {
    let shop = try Workshop(
      Self.open, "A\n b -> B.as\nB\n as ->> A.b", family: "{ dataLoss: \"refuse\" }")
    try shop.makeStore(Self.toOneAndToMany)
    let failure = try shop.failure()
    #expect(failure.reason == .dataLoss)
    #expect(failure.message.contains("relationship “B.as” with 1 target"), "\(failure.message)")
  }

  @Test func theOwnersOfAnOrderedEndAllHaveAPlace() throws {
    let shop = try Workshop(Self.open, "A\n b -> B.as\nB\n as ->> A.b ordered")
    try shop.makeStore(Self.toOneAndToMany)
    let result = try shop.migrate()
    #expect(result.lines.suffix(2) == ["B#11 as=(A#1 A#2 A#4)", "B#12 as=(A#3 A#6)"])
    #expect(
      try result.store.store.rows("SELECT Z_FOK_B FROM ZA ORDER BY Z_PK") == [
        [.integer(2048)], [.integer(3072)], [.integer(2048)], [.integer(4096)], [.null], [.integer(3072)],
        [.null],
      ])
  }

  @Test func whatLeadsToAnObjectOfAnotherEntityOfTheTableIsNotTaken() throws {
    let shop = try Workshop(
      "P\n n String?\nA < P\n b -> B\nB\n as ->> A", "P\n n String?\nA < P\n b -> B.as\nB\n as ->> A.b")
    let numbers = try StoreLayout(try shop.model("V1"), framework: FrameworkVersion(1_344)).entityNumbers
    let a = try #require(numbers["A"])
    let b = try #require(numbers["B"])
    let p = try #require(numbers["P"])
    try shop.makeStore(
      """
      INSERT INTO ZP (Z_PK, Z_ENT, Z_OPT, ZB, Z\(b)AS) VALUES (1, \(a), 1, 1, NULL), (2, \(a), 1, NULL, 2),
        (4, \(p), 1, NULL, 2);
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, \(b), 1), (2, \(b), 1);
      """)
    let result = try shop.migrate(chunkSize: 1)
    #expect(result.lines == ["A#1 b=B#1", "A#2 b=B#2", "B#1 as=[A#1]", "B#2 as=[A#2]", "P#4"])
    #expect(
      result.report.warnings.contains { $0.hasPrefix("1 pair of “B.as” led to a missing object") },
      "\(result.report.warnings)")
  }

  @Test(arguments: [641, 1_344], [1, 100])
  func endsOfFamiliesKeepTheEntityOfTheirTargets(framework: Int, chunkSize: Int) throws {
    let shop = try Workshop(
      "P\n n String?\nA < P\n b -> B\nB\n a -> P\nC < B",
      "P\n n String?\n b -> B.as\nA < P\nB\n as ->> P.b was a\nC < B")
    let numbers = try StoreLayout(try shop.model("V1"), framework: FrameworkVersion(framework)).entityNumbers
    let a = try #require(numbers["A"])
    let b = try #require(numbers["B"])
    let c = try #require(numbers["C"])
    let p = try #require(numbers["P"])
    try shop.makeStore(
      framework: framework,
      """
      INSERT INTO ZP (Z_PK, Z_ENT, Z_OPT, ZB) VALUES (1, \(a), 1, 1), (2, \(a), 1, NULL), (3, \(a), 1, NULL),
        (4, \(p), 1, NULL);
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, \(b), 1, 4), (2, \(c), 1, 2), (3, \(c), 1, 1);
      """)
    let result = try shop.migrate(chunkSize: chunkSize)
    #expect(
      result.lines == ["A#1 b=B#1", "A#2 b=C#2", "A#3", "B#1 as=[A#1 P#4]", "C#2 as=[A#2]", "C#3", "P#4 b=B#1"])
    #expect(result.losses == ["relationship B.a 1"])
  }

  @Test(arguments: [1, 2, 100])
  func twoToOnesBecomeManyToOneAndTheLargestKeyFillsTheGap(chunkSize: Int) throws {
    let shop = try Workshop("A\n b -> B\nB\n a -> A", "A\n b -> B.as\nB\n as ->> A.b was a")
    try shop.makeStore(
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZB) VALUES (1, 1, 1, 11), (2, 1, 1, NULL), (3, 1, 1, NULL);
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (11, 2, 1, 2), (12, 2, 1, 2), (13, 2, 1, 1), (14, 2, 1, 3);
      """)
    let result = try shop.migrate(chunkSize: chunkSize)
    #expect(
      result.lines == [
        "A#1 b=B#11", "A#2 b=B#12", "A#3 b=B#14", "B#11 as=[A#1]", "B#12 as=[A#2]", "B#13", "B#14 as=[A#3]",
      ])
    #expect(result.losses == ["relationship B.a 2"])
    #expect(
      result.report.warnings.contains { $0.hasPrefix("2 pairs of “B.a” are left out") },
      "\(result.report.warnings)")
  }

  /// In the pairs of the first end, A 1 and A 2 both refer to B 11, and A 6 refers to a missing object.
  ///
  /// The pairs of the second end contradict these pairs, add some, or agree.
  private static let oneToOne = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZB) VALUES (1, 1, 1, 11), (2, 1, 1, 11), (3, 1, 1, NULL), (6, 1, 1, 99),
      (7, 1, 1, 14);
    INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (11, 2, 1, 1), (12, 2, 1, 3), (13, 2, 1, 3), (14, 2, 1, 7),
      (15, 2, 1, 2), (16, 2, 1, 1), (17, 2, 1, 6), (18, 2, 1, 99);
    """

  @Test(
    "two to-ones become one-to-one: the first end counts, the second fills the gaps", arguments: [1, 2, 3, 100])
  func twoToOnesBecomeOneToOne(chunkSize: Int) throws {
    let shop = try Workshop("A\n b -> B\nB\n a -> A", "A\n b -> B.a\nB\n a -> A.b")
    try shop.makeStore(Self.oneToOne)
    let result = try shop.migrate(chunkSize: chunkSize)
    #expect(
      result.lines == [
        "A#1 b=B#16", "A#2 b=B#11", "A#3 b=B#13", "A#6 b=B#17", "A#7 b=B#14", "B#11 a=A#2", "B#12",
        "B#13 a=A#3",
        "B#14 a=A#7", "B#15", "B#16 a=A#1", "B#17 a=A#6", "B#18",
      ])
    #expect(result.losses == ["relationship B.a 3", "relationship A.b 1"])
    let warnings = result.report.warnings
    #expect(warnings.contains { $0.hasPrefix("3 pairs of “B.a” are left out") }, "\(warnings)")
    #expect(warnings.contains { $0.hasPrefix("1 object shared its “A.b”") }, "\(warnings)")
    #expect(warnings.contains { $0.hasPrefix("1 pair of “B.a” led to a missing object") }, "\(warnings)")
    #expect(warnings.contains { $0.hasPrefix("1 object had a relationship “A.b”") }, "\(warnings)")
  }

  @Test(arguments: [1, 100])
  func twoToOnesOfOneEntityBecomeOneToOneAndTheFirstNameCounts(chunkSize: Int) throws {
    let shop = try Workshop(
      "Person\n x -> Person\n y -> Person", "Person\n x -> Person.y\n y -> Person.x")
    try shop.makeStore(
      """
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZX, ZY) VALUES (1, 1, 1, 2, 2), (2, 1, 1, 3, NULL),
        (3, 1, 1, NULL, NULL), (4, 1, 1, 3, NULL), (5, 1, 1, NULL, 2);
      """)
    let result = try shop.migrate(chunkSize: chunkSize)
    #expect(
      result.lines == [
        "Person#1 x=Person#2", "Person#2 x=Person#5 y=Person#1", "Person#3 y=Person#4", "Person#4 x=Person#3",
        "Person#5 y=Person#2",
      ])
    #expect(result.losses == ["relationship Person.y 1", "relationship Person.x 1"])
  }

  @Test(arguments: [1, 100])
  func twoToManysBecomeManyToManyWithThePairsOfBoth(chunkSize: Int) throws {
    let shop = try Workshop("A\n bs ->> B\nB\n as ->> A", "A\n bs ->> B.as ordered\nB\n as ->> A.bs")
    try shop.makeStore(
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, Z2AS) VALUES (1, 1, 1, 11), (2, 1, 1, 11), (3, 1, 1, 13), (4, 1, 1, 99);
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, Z1BS) VALUES (11, 2, 1, 1), (12, 2, 1, 1), (13, 2, 1, 2);
      """)
    let result = try shop.migrate(chunkSize: chunkSize)
    #expect(
      result.lines == [
        "A#1 bs=(B#11 B#12)", "A#2 bs=(B#11 B#13)", "A#3 bs=(B#13)", "A#4", "B#11 as=[A#1 A#2]",
        "B#12 as=[A#1]",
        "B#13 as=[A#2 A#3]",
      ])
    #expect(result.report.steps[0].joinRows == ["Z_1BS": 5])
    #expect(result.losses == [])
    #expect(
      result.report.warnings.contains { $0.hasPrefix("1 pair of “A.bs” led to") }, "\(result.report.warnings)")
  }

  @Test func toOnesThatBecomeToManyKeepThePairsOfBoth() throws {
    let after = "A\n bs ->> B.as was b\nB\n as ->> A.bs was a"
    let two = try Workshop("A\n b -> B\nB\n a -> A", after)
    try two.makeStore(
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZB) VALUES (1, 1, 1, 11), (2, 1, 1, 11), (3, 1, 1, NULL);
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (11, 2, 1, 1), (12, 2, 1, 3);
      """)
    let lines = ["A#1 bs=[B#11]", "A#2 bs=[B#11]", "A#3 bs=[B#12]", "B#11 as=[A#1 A#2]", "B#12 as=[A#3]"]
    #expect(try two.migrate().lines == lines)
    let one = try Workshop(Self.open, "A\n bs ->> B.as was b\nB\n as ->> A.bs")
    try one.makeStore(Self.toOneAndToMany)
    let result = try one.migrate()
    #expect(
      result.lines == [
        "A#1 bs=[B#11]", "A#2 bs=[B#11]", "A#3 bs=[B#12]", "A#4 bs=[B#11 B#12]", "A#5", "A#6 bs=[B#12]", "A#7",
        "B#11 as=[A#1 A#2 A#4]", "B#12 as=[A#3 A#4 A#6]",
      ])
    #expect(result.losses == [])
  }

  @Test func whatTheOtherEndBringsCountsForARequiredRelationship() throws {
    let shop = try Workshop(Self.open, "A\n b -> B.as required\nB\n as ->> A.b")
    try shop.makeStore(
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZB, Z2AS) VALUES (1, 1, 1, 11, NULL), (2, 1, 1, NULL, 11), (3, 1, 1, NULL, NULL);
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (11, 2, 1);
      """)
    let result = try shop.migrate()
    #expect(result.lines == ["A#1 b=B#11", "A#2 b=B#11", "A#3", "B#11 as=[A#1 A#2]"])
    #expect(
      result.report.warnings.contains {
        $0.hasPrefix("1 object has too few targets of the relationship “A.b”")
      },
      "\(result.report.warnings)")
  }

  @Test func aLaterStepOfAPathAddsTheInversesAndTheNamesChangeOnTheWay() throws {
    let shop = try Workshop(
      Self.open, "A\n c -> B was b\nB\n as ->> A", "A\n c -> B.list\nB\n list ->> A.c was as",
      "A\n d -> B.list was c\nB\n list ->> A.d", family: "{ path: [\"V1\", \"V2\", \"V3\", \"V4\"] }")
    try shop.makeStore(Self.toOneAndToMany)
    let result = try shop.migrate()
    #expect(result.report.steps.count == 3)
    #expect(
      result.lines == [
        "A#1 d=B#11", "A#2 d=B#11", "A#3 d=B#12", "A#4 d=B#11", "A#5", "A#6 d=B#12", "A#7",
        "B#11 list=[A#1 A#2 A#4]", "B#12 list=[A#3 A#6]",
      ])
    #expect(result.losses == ["relationship B.as 1"])
  }

  @Test(
    "relationships that one step has joined stay joined if a later step removes an inverse",
    arguments: [1, 100])
  func theInverseGoesAgain(chunkSize: Int) throws {
    let path = "{ path: [\"V1\", \"V2\", \"V3\"] }"
    let both = "A\n b -> B.as\nB\n as ->> A.b"
    let toOne = try Workshop(Self.open, both, "A\n b -> B\nB", family: path)
    try toOne.makeStore(Self.toOneAndToMany)
    #expect(
      try toOne.migrate(chunkSize: chunkSize).lines == [
        "A#1 b=B#11", "A#2 b=B#11", "A#3 b=B#12", "A#4 b=B#11", "A#5", "A#6 b=B#12", "A#7", "B#11", "B#12",
      ])
    let toMany = try Workshop(Self.open, both, "A\nB\n as ->> A", family: path)
    try toMany.makeStore(Self.toOneAndToMany)
    #expect(
      try toMany.migrate(chunkSize: chunkSize).lines == [
        "A#1", "A#2", "A#3", "A#4", "A#5", "A#6", "A#7", "B#11 as=[A#1 A#2 A#4]", "B#12 as=[A#3 A#6]",
      ])
  }

  private static let shapes: [(before: String, after: String, rows: String)] = [
    (open, "A\n b -> B.as\nB\n as ->> A.b ordered", toOneAndToMany),
    ("A\n b -> B\nB\n a -> A", "A\n b -> B.a\nB\n a -> A.b", oneToOne),
    (open, "A\n bs ->> B.as was b ordered\nB\n as ->> A.bs", toOneAndToMany),
  ]

  @Test("a run stopped between any two chunks continues to the same result", arguments: [0, 1, 2])
  func stopped(shape: Int) throws {
    let (before, after, rows) = Self.shapes[shape]
    let whole = try Workshop(before, after)
    try whole.makeStore(rows)
    let expected = try whole.migrate(chunkSize: 1)
    let shop = try Workshop(before, after)
    try shop.makeStore(rows)
    var stops = 0
    var report = try Self.run(shop)
    while report == nil, stops < 500 {
      stops += 1
      report = try Self.run(shop)
    }
    let resumed = try #require(report)
    #expect(stops > 5)
    #expect(try shop.finished(resumed).store.objects == expected.store.objects)
    #expect(Set(resumed.warnings) == Set(expected.report.warnings))
    #expect(resumed.losses == expected.report.losses)
  }

  /// Runs until the second question whether to stop, which is after one chunk; `nil` if work remains.
  private static func run(_ shop: Workshop) throws -> MigrationReport? {
    let count = Count()
    do {
      return try Migration.run(shop.job(chunkSize: 1), shouldStop: { count.next() > 1 })
    } catch {
      guard error.reason == .stopped else { throw error }
      return nil
    }
  }

  /// `@unchecked Sendable`: the number is used only while the lock is held.
  private final class Count: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func next() -> Int {
      lock.withLock {
        count += 1
        return count
      }
    }
  }

  @Test func aWrongChoiceIsADifference() throws {
    let shop = try Workshop(Self.open, "A\n b -> B.as\nB\n as ->> A.b")
    try shop.makeStore(Self.toOneAndToMany)
    let result = try shop.migrate()
    #expect(result.lines.count == 9)
    for (change, place) in [
      ("UPDATE ZA SET ZB = 12 WHERE Z_PK = 4", "A.b"), ("UPDATE ZA SET ZB = NULL WHERE Z_PK = 3", "A.b"),
      ("UPDATE ZA SET ZB = 11 WHERE Z_PK = 3", "A.b"), ("UPDATE ZA SET ZB = 11 WHERE Z_PK = 5", "A.b"),
    ] {
      let before = try Data(contentsOf: shop.output)
      do { try SQLiteDatabase(shop.output.path, mode: .readWrite).execute(change) }
      let report = try shop.verify()
      #expect(!report.isEqual, "\(change)")
      #expect(report.differences.contains { "\($0.entity ?? "").\($0.property ?? "")" == place }, "\(report)")
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: shop.output.path + suffix) }
      try before.write(to: shop.output)
    }
  }
}
