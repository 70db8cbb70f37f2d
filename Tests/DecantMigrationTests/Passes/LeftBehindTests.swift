import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

/// Objects and values that mapping models leave behind are counted, or refused with `dataLoss: "refuse"`.
@Suite("Left behind") struct LeftBehindTests {
  private static let refuse = "{ dataLoss: \"refuse\" }"

  private static func shop(_ mappings: String, family: String? = nil) throws -> Workshop {
    let shop = try Workshop(
      "Note\n text String?\n rank Int32?", "Note\n text String?\n rank Int32?\n more String?", family: family)
    try shop.map(mappings)
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZRANK) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'b', 2), "
        + "(3, 1, 1, NULL, 3), (4, 1, 1, 'd', NULL)")
    return shop
  }

  private static func range(_ filter: String) -> String {
    #"{ name: "\#(filter)", source: "Note", destination: "Note", filter: "\#(filter)" }"#
  }

  @Test(
    "objects that no filter takes are counted in plan and report",
    arguments: [
      ([range("rank == 1")], 3),
      ([range("rank == 1"), range("rank > 1")], 1),
      // An object that two filters take counts once.
      ([range("rank >= 1"), range("rank >= 2")], 1),
      ([range("rank == nil"), range("rank >= 1")], 0),
      ([range("rank == nil"), #"{ source: "Note", destination: "Note" }"#], 0),
      ([range("TRUEPREDICATE")], 0),
      // Objects without a value of `uniqueBy`.
      ([#"{ source: "Note", destination: "Note", uniqueBy: "$source.text" }"#], 1),
      ([#"{ source: "Note", destination: "Note", uniqueBy: "$source.text" }"#, range("rank == 3")], 0),
    ])
  func counted(mappings: [String], rows: Int) throws {
    let shop = try Self.shop(mappings.joined(separator: ", "))
    let losses = try Migration.plan(shop.job()).losses
    #expect(losses.map(\.values) == (rows == 0 ? [] : [rows]))
    #expect(losses.allSatisfy { $0.cause == .filters && $0.entity == "Note" && $0.kind == .entity })
    #expect(try shop.migrate().report.losses == losses)

    let strict = try Self.shop(mappings.joined(separator: ", "), family: Self.refuse)
    guard rows > 0 else {
      _ = try strict.migrate()
      return
    }
    let failure = try strict.failure()
    #expect(failure.reason == .dataLoss && failure.disposition == .refuse)
    let what = rows == 1 ? "1 object of “Note”" : "\(rows) objects of “Note”"
    #expect(
      failure.message.hasSuffix(": \(what) that no filter or uniqueBy of an entity mapping takes."),
      "\(failure)")
    #expect(failure.advice.contains("{ remove: \"Note\" }"))
  }

  @Test(
    "objects that an entity mapping removes are listed, and the store isn't refused",
    arguments: [
      ([range("rank == 1"), #"{ remove: "Note" }"#], 3), ([#"{ remove: "Note" }"#], 4),
      ([range("rank == nil"), range("rank != nil"), #"{ remove: "Note" }"#], 0),
    ])
  func removed(mappings: [String], rows: Int) throws {
    let shop = try Self.shop(mappings.joined(separator: ", "), family: Self.refuse)
    let losses = try Migration.plan(shop.job()).losses
    #expect(losses.filter { $0.cause == .removed }.map(\.values) == (rows == 0 ? [] : [rows]))
    #expect(losses.allSatisfy { $0.accepted || $0.values == 0 }, "\(losses)")
    #expect(try shop.migrate().report.losses == losses)
  }

  @Test func aFilterThatFailsIsToldBeforehand() throws {
    let shop = try Self.shop(
      [Self.range("CAST(text, 'NSNumber') == 1"), Self.range("rank == 2")].joined(separator: ", "))
    let failure = try shop.failure()
    #expect(failure.reason == .valuesDoNotFit && failure.message.contains("Note/p"), "\(failure)")
  }

  @Test func whatIsNoSQLCannotBeCountedBeforehand() throws {
    let shop = try Self.shop(Self.range("random() >= 0"))
    let plan = try Migration.plan(shop.job())
    #expect(plan.losses == [])
    #expect(
      plan.warnings.contains {
        $0.hasPrefix("Objects of “Note” that no entity mapping takes can't be counted beforehand: ")
          && $0.contains("the filter: ")
      }, "\(plan.warnings)")
    // If no loss is allowed, a store whose losses can't be counted is refused.
    let strict = try Self.shop(Self.range("random() >= 0"), family: Self.refuse)
    let failure = try strict.failure()
    #expect(failure.reason == .dataLoss && failure.advice.contains("{ remove: \"Note\" }"), "\(failure)")
    _ = try Self.shop(
      [Self.range("random() >= 0"), #"{ remove: "Note" }"#].joined(separator: ", "), family: Self.refuse
    )
    .migrate()
  }

  /// A store of two notes, and two steps: the first by a mapping model, the second by `second` or inferred.
  private static func chain(
    _ second: String?, third: String = "Note\n c String?\n d String?", family: String? = nil
  ) throws -> Workshop {
    let shop = try Workshop("Note\n a String?", "Note\n b String?\nCopy\n b String?", third, family: family)
    try shop.map(
      "One",
      #"{ source: "Note", destination: "Note", attributes: { b: "$source.a" } }, "#
        + #"{ source: "Note", destination: "Copy", attributes: { b: "$source.a" } }"#, further: "")
    if let second { try shop.map("Two", second, further: "", source: "V2", destination: "V3") }
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x'), (2, 1, 1, 'y');")
    return shop
  }

  private static let taking = #"{ source: "Note", destination: "Note", attributes: { c: "$source.b" } }"#

  private static let copies = #", { source: "Copy", destination: "Note", filter: "b == 'none'" }"#

  @Test(
    "losses of a later step are counted when it runs",
    arguments: [
      (taking + copies, "Note\n c String?\n d String?", ["entity Copy 2 filters"]),
      (
        #"{ source: "Note", destination: "Note", filter: "b == 'x'", attributes: { c: "$source.b" } }"#
          + copies,
        "Note\n c String?\n d String?",
        ["entity Note 1 filters", "entity Copy 2 filters"]
      ),
      (nil, "Note\n b String?\nCopy\n z Int32?", ["attribute Copy.b 2 noPlace"]),
      (nil, "Note\n b String?", ["entity Copy 2 noPlace"]),
    ])
  func later(second: String?, third: String, expected: [String]) throws {
    let result = try Self.chain(second, third: third).migrate()
    #expect(result.report.warnings == [])
    let losses = result.report.losses
    #expect(
      losses.map { loss in
        "\(loss.kind.rawValue) \(loss.entity)\(loss.property.map { "." + $0 } ?? "") \(loss.values) "
          + loss.cause.rawValue
      } == expected)
    #expect(losses.allSatisfy { $0.version == "V2" })

    let strict = try Self.chain(second, third: third, family: Self.refuse)
    let failure = try strict.failure()
    #expect(failure.reason == .dataLoss && failure.disposition == .refuse, "\(failure)")
    #expect(failure.message.contains(" of the intermediate version “V2”"), "\(failure)")
    #expect(
      try Migration.plan(strict.job()).notes.contains {
        $0.hasPrefix("The losses of the step “V2” to “V3” are counted when it begins")
      })
    #expect(!FileManager.default.fileExists(atPath: strict.output.path))
  }

  @Test func aSmallerIntegerOfALaterStepRefusesWhatDoesNotFit() throws {
    let shop = try Workshop("Note\n a Int64?", "Note\n b Int64?", "Note\n b Int16?")
    try shop.map(#"{ source: "Note", destination: "Note", attributes: { b: "$source.a" } }"#)
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 7), (2, 1, 1, 70000)")
    let failure = try shop.failure()
    #expect(
      failure.reason == .valuesDoNotFit && failure.message.contains("1 value of attribute “b”"),
      "\(failure)")
    #expect(failure.message.contains("Entity “Note” of the intermediate version “V2”: "), "\(failure)")
  }

  @Test func whatAnInferredStepAddsIsNotLostByTheNextOne() throws {
    let shop = try Workshop(
      "Note\n a String?", "Note\n b String?", "Note\n b String?\n flag Bool = YES",
      "Note\n b String?\n c String?",
      family: "{ dataLoss: \"refuse\", path: [\"V1\", \"V2\", \"V3\", \"V4\"] }")
    try shop.map(#"{ source: "Note", destination: "Note", attributes: { b: "$source.a" } }"#)
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x')")
    let result = try shop.migrate()
    #expect(result.report.steps.count == 2 && result.report.losses.allSatisfy { $0.values == 0 })
    var job = shop.job()
    job.output = shop.output.deletingLastPathComponent().appendingPathComponent("Steps.sqlite")
    job.joinsSteps = false
    let report = try Migration.run(job)
    #expect(report.steps.count == 3 && report.losses.allSatisfy { $0.values == 0 })
  }

  @Test("a loss that is forbidden between two runs isn't delivered", arguments: [0, 3600])
  func forbiddenLoss(patience: Int) throws {
    let shop = try Self.chain(nil, third: "Note\n b String?")
    // The second step is finished, but nothing can be delivered. Its result is noted even if the step was short,
    // because the file of the first step is removed.
    var job = shop.job()
    job.patience = .seconds(patience)
    job.output = shop.output.deletingLastPathComponent().appendingPathComponent("nowhere/Store.sqlite")
    #expect(throws: MigrationFailure.self) { try Migration.run(job) }
    #expect(FileManager.default.fileExists(atPath: shop.work.appendingPathComponent("step-2.json").path))
    try shop.folder.write("{ dataLoss: \"refuse\" }", to: "models/Notes/family.json5")
    let failure = try shop.failure()
    #expect(failure.reason == .dataLoss, "\(failure)")
  }
}
