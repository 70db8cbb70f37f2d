import Testing

@testable import DecantMigration

@Suite("Inferred steps: relationships that can hold more targets, and inverses") struct CardinalityTests {
  /// Three objects A and three objects B, with two pairs.
  ///
  /// `ZB` of A refers to a B, `ZA` of B to an A.
  private static let pairs = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZB) VALUES (1, 1, 1, 12), (2, 1, 1, 11), (3, 1, 1, NULL);
    INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (11, 2, 1, 2), (12, 2, 1, 1), (13, 2, 1, NULL);
    """
  /// Three objects A.
  ///
  /// Two of them refer to the same B.
  private static let owners = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZB) VALUES (1, 1, 1, 12), (2, 1, 1, 11), (3, 1, 1, 12);
    INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (11, 2, 1), (12, 2, 1), (13, 2, 1);
    """

  @Test func oneToOneBecomesOneToMany() throws {
    let shop = try Workshop("A\n b -> B.a\nB\n a -> A.b", "A\n bs ->> B.a was b\nB\n a -> A.bs")
    try shop.makeStore(Self.pairs)
    let result = try shop.migrate()
    #expect(
      result.lines == ["A#1 bs=[B#12]", "A#2 bs=[B#11]", "A#3", "B#11 a=A#2", "B#12 a=A#1", "B#13"])
    #expect(result.losses == [])
  }

  @Test func oneToOneBecomesOneToManyAndTheKeptEndIsNew() throws {
    let shop = try Workshop("A\n b -> B.a\nB\n a -> A.b", "A\n bs ->> B.owner was b\nB\n owner -> A.bs")
    try shop.makeStore(Self.pairs)
    let result = try shop.migrate()
    #expect(
      result.lines == ["A#1 bs=[B#12]", "A#2 bs=[B#11]", "A#3", "B#11 owner=A#2", "B#12 owner=A#1", "B#13"])
    #expect(result.losses == [])
  }

  @Test func oneToOneBecomesManyToMany() throws {
    let shop = try Workshop("A\n b -> B.a\nB\n a -> A.b", "A\n bs ->> B.as was b\nB\n as ->> A.bs was a")
    try shop.makeStore(Self.pairs)
    #expect(
      try shop.migrate().lines == [
        "A#1 bs=[B#12]", "A#2 bs=[B#11]", "A#3", "B#11 as=[A#2]", "B#12 as=[A#1]", "B#13",
      ])
  }

  @Test func manyToOneBecomesManyToMany() throws {
    let shop = try Workshop("A\n b -> B.as\nB\n as ->> A.b", "A\n bs ->> B.as was b\nB\n as ->> A.bs")
    try shop.makeStore(Self.owners)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "A#1 bs=[B#12]", "A#2 bs=[B#11]", "A#3 bs=[B#12]", "B#11 as=[A#2]", "B#12 as=[A#1 A#3]", "B#13",
      ])
    #expect(result.report.steps[0].joinRows == ["Z_1BS": 3])
  }

  @Test func oneToManyBecomesManyToManyAndTheOtherEndIsNew() throws {
    let shop = try Workshop("A\n b -> B.as\nB\n as ->> A.b", "A\n owners ->> B.as\nB\n as ->> A.owners")
    try shop.makeStore(Self.owners)
    #expect(
      try shop.migrate().lines == [
        "A#1 owners=[B#12]", "A#2 owners=[B#11]", "A#3 owners=[B#12]", "B#11 as=[A#2]", "B#12 as=[A#1 A#3]",
        "B#13",
      ])
  }

  @Test func aToOneWithoutInverseGetsAToManyInverse() throws {
    let shop = try Workshop("A\n b -> B\nB", "A\n b -> B.as\nB\n as ->> A.b ordered")
    try shop.makeStore(Self.owners)
    #expect(
      try shop.migrate().lines == [
        "A#1 b=B#12", "A#2 b=B#11", "A#3 b=B#12", "B#11 as=(A#2)", "B#12 as=(A#1 A#3)", "B#13",
      ])
  }

  @Test(arguments: [1, 2, 3, 4])
  func aToOneWithoutInverseGetsAToOneInverseAndTheLaterOwnerWins(chunkSize: Int) throws {
    let shop = try Workshop("A\n b -> B\nB", "A\n b -> B.a\nB\n a -> A.b")
    try shop.makeStore(Self.owners)
    let result = try shop.migrate(chunkSize: chunkSize)
    #expect(result.lines == ["A#1", "A#2 b=B#11", "A#3 b=B#12", "B#11 a=A#2", "B#12 a=A#3", "B#13"])
    #expect(
      result.report.warnings.contains { $0.contains("1 object ") && $0.contains("A.b") },
      "\(result.report.warnings)")
    #expect(result.losses == ["relationship A.b 1"])
  }

  @Test func aToOneWithoutInverseBecomesToManyWithAnInverse() throws {
    let shop = try Workshop("A\n b -> B\nB", "A\n bs ->> B.as was b\nB\n as ->> A.bs")
    try shop.makeStore(Self.owners)
    #expect(
      try shop.migrate().lines == [
        "A#1 bs=[B#12]", "A#2 bs=[B#11]", "A#3 bs=[B#12]", "B#11 as=[A#2]", "B#12 as=[A#1 A#3]", "B#13",
      ])
  }

  @Test(arguments: [1, 2, 3, 4])
  func aToOneWithoutInverseBecomesToManyWithoutInverseAndTheLaterOwnerWins(chunkSize: Int) throws {
    let shop = try Workshop("A\n b -> B\nB", "A\n bs ->> B was b\nB")
    try shop.makeStore(Self.owners)
    let result = try shop.migrate(chunkSize: chunkSize)
    #expect(result.lines == ["A#1", "A#2 bs=[B#11]", "A#3 bs=[B#12]", "B#11", "B#12", "B#13"])
    #expect(
      result.report.warnings.contains { $0.contains("1 ") && $0.contains("A.bs") }, "\(result.report.warnings)")
    #expect(result.losses == ["relationship A.b 1"])
  }

  /// A to-many relationship without inverse: the target's row has the owner's key.
  private static let without = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1);
    INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, Z1BS) VALUES (11, 2, 1, 2), (12, 2, 1, 2), (13, 2, 1, NULL);
    """

  @Test func aToManyWithoutInverseIsKeptWhenItsOwnersNumberChanges() throws {
    let shop = try Workshop("A\n bs ->> B\nB", "Aa\nB\nC was A\n list ->> B was bs")
    try shop.makeStore(Self.without)
    let result = try shop.migrate()
    #expect(result.lines == ["B#11", "B#12", "B#13", "C#1", "C#2 list=[B#11 B#12]", "C#3"])
    #expect(
      try result.store.store.rows("SELECT Z3LIST FROM ZB ORDER BY Z_PK") == [
        [.integer(2)], [.integer(2)], [.null],
      ])
  }

  @Test func aToManyWithoutInverseGetsAToOneInverse() throws {
    let shop = try Workshop("A\n bs ->> B\nB", "A\n bs ->> B.a\nB\n a -> A.bs")
    try shop.makeStore(Self.without)
    #expect(
      try shop.migrate().lines == ["A#1", "A#2 bs=[B#11 B#12]", "A#3", "B#11 a=A#2", "B#12 a=A#2", "B#13"])
  }

  @Test func aToManyWithoutInverseGetsAToManyInverse() throws {
    let shop = try Workshop("A\n bs ->> B\nB", "A\n bs ->> B.as ordered\nB\n as ->> A.bs")
    try shop.makeStore(Self.without)
    #expect(
      try shop.migrate().lines == [
        "A#1", "A#2 bs=(B#11 B#12)", "A#3", "B#11 as=[A#2]", "B#12 as=[A#2]", "B#13",
      ])
  }

  @Test func theInverseGoesAwayAndAToOneStays() throws {
    let shop = try Workshop("A\n b -> B.as\nB\n as ->> A.b", "A\n b -> B\nB")
    try shop.makeStore(Self.owners)
    let result = try shop.migrate()
    #expect(result.lines == ["A#1 b=B#12", "A#2 b=B#11", "A#3 b=B#12", "B#11", "B#12", "B#13"])
    #expect(result.losses == [])
  }

  @Test func theInverseGoesAwayAndAToManyStays() throws {
    let shop = try Workshop("A\n b -> B.as\nB\n as ->> A.b", "A\nB\n as ->> A")
    try shop.makeStore(Self.owners)
    let result = try shop.migrate()
    #expect(result.lines == ["A#1", "A#2", "A#3", "B#11 as=[A#2]", "B#12 as=[A#1 A#3]", "B#13"])
    #expect(result.losses == [])
  }

  /// Three pairs, two of them with B 12.
  private static let joined = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
    INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (11, 2, 1), (12, 2, 1);
    INSERT INTO Z_1BS (Z_1AS, Z_2BS) VALUES (1, 12), (2, 11), (2, 12);
    """

  @Test(arguments: [1, 2, 3, 4])
  func theInverseOfAManyToManyGoesAwayAndEachTargetKeepsOneOwner(chunkSize: Int) throws {
    let shop = try Workshop("A\n bs ->> B.as\nB\n as ->> A.bs", "A\n bs ->> B\nB")
    try shop.makeStore(Self.joined)
    let result = try shop.migrate(chunkSize: chunkSize)
    #expect(result.lines == ["A#1", "A#2 bs=[B#11 B#12]", "B#11", "B#12"])
    #expect(
      result.report.warnings.contains { $0.contains("1 ") && $0.contains("A.bs") }, "\(result.report.warnings)")
    #expect(result.losses == ["relationship A.bs 1"])
  }

  @Test(arguments: [1, 2, 3, 4])
  func oneEndOfAManyToManyIsReplacedByAToOneAndEachTargetKeepsOneOwner(chunkSize: Int) throws {
    let shop = try Workshop("A\n bs ->> B.as\nB\n as ->> A.bs", "A\n bs ->> B.a\nB\n a -> A.bs")
    try shop.makeStore(Self.joined)
    let result = try shop.migrate(chunkSize: chunkSize)
    #expect(result.lines == ["A#1", "A#2 bs=[B#11 B#12]", "B#11 a=A#2", "B#12 a=A#2"])
    #expect(
      result.report.warnings.contains { $0.contains("1 ") && $0.contains("B.a") }, "\(result.report.warnings)")
    #expect(result.losses == ["relationship A.bs 1"])
  }

  @Test func pairsThatCannotAllBeKeptAreRefusedWhereTheFamilyForbidsLosses() throws {
    let shop = try Workshop(
      "A\n bs ->> B.as\nB\n as ->> A.bs", "A\n bs ->> B.a\nB\n a -> A.bs", family: "{ dataLoss: \"refuse\" }")
    try shop.makeStore(Self.joined)
    let failure = try shop.failure()
    #expect(failure.reason == .dataLoss)
    #expect(failure.message.contains("relationship “A.bs” with 1 target"))
    try shop.makeStore(Self.joined.replacing(", (2, 12)", with: ""))
    #expect(try shop.migrate().lines == ["A#1 bs=[B#12]", "A#2 bs=[B#11]", "B#11 a=A#2", "B#12 a=A#1"])
  }

  @Test func anOrderInTheJoinTableIsKeptWhereOneOwnerIs() throws {
    let shop = try Workshop(
      "A\n bs ->> B.as ordered\nB\n as ->> A.bs", "A\n bs ->> B.a ordered\nB\n a -> A.bs")
    try shop.makeStore(
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (11, 2, 1), (12, 2, 1), (13, 2, 1);
      INSERT INTO Z_1BS (Z_1AS, Z_2BS, Z_FOK_2BS) VALUES (2, 11, 9), (2, 12, 5), (2, 13, 7), (1, 12, 1);
      """)
    #expect(
      try shop.migrate().lines == [
        "A#1", "A#2 bs=(B#12 B#13 B#11)", "B#11 a=A#2", "B#12 a=A#2", "B#13 a=A#2",
      ])
  }

  @Test func toManyThatBecomesToOneIsRefused() throws {
    let shop = try Workshop("A\n bs ->> B.a\nB\n a -> A.bs", "A\n b -> B.a was bs\nB\n a -> A.b")
    try shop.makeStore("")
    #expect(
      try shop.failure().message.contains("relationship “b” (before: “bs”) changes from to-many to to-one"))
  }
}
