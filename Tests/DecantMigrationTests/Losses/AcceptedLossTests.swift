import DecantCatalogue
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

/// Losses that the family accepts, and jobs that allow no others.
@Suite("Accepted losses") struct AcceptedLossTests {
  private static let versions = [
    "Base\n x String?\nNote < Base\n fecha Date?\nGone\n y String?", "Base\nNote < Base",
  ]
  private static let rows = """
    INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZX, ZFECHA) VALUES (1, 2, 1, 'a', 5.5), (2, 2, 1, 'b', NULL);
    INSERT INTO ZGONE (Z_PK, Z_ENT, Z_OPT, ZY) VALUES (1, 3, 1, 'c');
    """

  private static func shop(_ family: String) throws -> Workshop {
    let shop = try Workshop(versions, family: family)
    try shop.makeStore(rows)
    return shop
  }

  private static func strict(_ shop: Workshop) -> MigrationJob {
    var job = shop.job()
    job.refusesLosses = true
    return job
  }

  @Test func acceptedLossesAreToldAndRefuseNothing() throws {
    let shop = try Self.shop(
      "{ dataLoss: \"refuse\", acceptedLosses: [\"Base.x\", \"Note.fecha\", \"Gone\"] }")
    let report = try shop.migrate().report
    #expect(
      Set(report.losses.map { "\(Migrated.words($0)) \($0.accepted)" })
        == ["attribute Base.x 2 true", "attribute Note.fecha 1 true", "entity Gone 1 true"])
    #expect(report.realLosses.lostValues == 4)
    #expect(try Migration.plan(shop.job()).losses == report.losses)
  }

  @Test func oneLossThatIsNotAcceptedRefusesAStrictJobByNameAlone() throws {
    let shop = try Self.shop("{ acceptedLosses: [\"Note.fecha\", \"Gone\"] }")
    let failure = #expect(throws: MigrationFailure.self) { try Migration.run(Self.strict(shop)) }
    #expect(failure?.reason == .dataLoss && failure?.disposition == .refuse)
    #expect(
      failure?.message
        == "Values would be lost, and the command says --strict: attribute “Base.x” with 2 values.")
    #expect(failure?.details == ["acceptedLosses: [\"Note.fecha\", \"Gone\", \"Base.x\"]"])
    #expect(
      failure?.advice
        == "If something has another name now, say so under “renames” in family.json5; else write a mapping model that keeps "
        + "the values. If the loss is intended, put the line “acceptedLosses” "
        + "of this message in place of the one in family.json5.")
    #expect(!FileManager.default.fileExists(atPath: shop.output.path))
    #expect(!FileManager.default.fileExists(atPath: shop.work.path))
    // Without `--strict` the store is migrated.
    #expect(try shop.migrate().report.losses.filter(\.accepted).count == 2)
    let all = try Self.shop("{ acceptedLosses: [\"Note.fecha\", \"Gone\", \"Base.x\"] }")
    #expect(try Migration.run(Self.strict(all)).result == .migrated)
  }

  @Test func aDroppedStoreHasToBeDroppedAgainAfterMending() throws {
    let shop = try Self.shop("{ dataLoss: \"refuse\" }")
    #expect(try !shop.failure().advice.contains("original"))
    var job = shop.job()
    job.isOfDrop = true
    let failure = try #require(throws: MigrationFailure.self) { try Migration.run(job) }
    #expect(failure.reason == .dataLoss)
    #expect(
      failure.advice.hasSuffix(
        " into family.json5. Afterwards drop the store again from “original”."), "\(failure.advice)")
  }

  /// Entities, properties and elements of a composite attribute.
  @Test func everyLossIsNamedAndTheLineBelowAcceptsThemAll() throws {
    let versions = [
      "Base\n x String?\nNote < Base\n fecha Date?\n author {id:Int32?,at:Date?}?\nGone\n y String?",
      "Base\nNote < Base\n author {id:Int32?}?",
    ]
    func shop(_ family: String? = nil) throws -> Workshop {
      let shop = try Workshop(versions, family: family)
      try shop.makeStore(
        """
        INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZX, ZFECHA, ZID, ZAT) VALUES (1, 2, 1, 'a', 5.5, 7, 6.5);
        INSERT INTO ZGONE (Z_PK, Z_ENT, Z_OPT, ZY) VALUES (1, 3, 1, 'c');
        """)
      return shop
    }
    let first = try shop()
    let failure = try #require(throws: MigrationFailure.self) { try Migration.run(Self.strict(first)) }
    for name in ["attribute “Base.x”", "attribute “Note.fecha”", "attribute “Note.author.at”", "entity “Gone”"]
    {
      #expect(failure.message.contains(name), "\(failure)")
    }
    #expect(
      failure.advice
        == "If something has another name now, say so under “renames” in family.json5; else write a mapping model that "
        + "keeps the values. If the losses are intended, put the line “acceptedLosses” of this message into family.json5."
    )
    let line = try #require(failure.details.first)
    #expect(failure.details.count == 1 && line.contains("\"Note.author.at\""))
    let second = try shop("{ \(line) }")
    #expect(try Migration.run(Self.strict(second)).realLosses.map(\.accepted) == [true, true, true, true])
    // The loss of an element that isn't named isn't accepted. The name of a composite attribute accepts the losses of
    // all its elements.
    let without = try shop("{ \(line.replacingOccurrences(of: "author.at", with: "author.id")) }")
    #expect(throws: MigrationFailure.self) { try Migration.run(Self.strict(without)) }
    let whole = try shop("{ \(line.replacingOccurrences(of: "author.at", with: "author")) }")
    #expect(try Migration.run(Self.strict(whole)).result == .migrated)
  }

  @Test func manyLossesAreNamedUpToABoundWithTheNumberOfTheOthers() throws {
    let names = (101...310).map { "a\($0)" }
    let losses = names.map {
      MigrationReport.Loss(kind: .attribute, entity: "Note", property: $0, values: 2, cause: .noPlace)
    }
    let failure = try #require(MigrationFailure(forbidden: losses, by: "x", accepted: AcceptedLosses()))
    #expect(
      failure.message.hasSuffix("“Note.a119” with 2 values; attribute “Note.a120” with 2 values; and 190 more.")
    )
    #expect(failure.details.first?.hasSuffix(", \"Note.a300\"]") == true)
    #expect(failure.advice.hasSuffix("of this message into family.json5. 10 more have to be named there."))
    let few = try #require(
      MigrationFailure(forbidden: Array(losses.prefix(20)), by: "x", accepted: AcceptedLosses()))
    #expect(
      few.message.hasSuffix("“Note.a120” with 2 values.")
        && few.advice.hasSuffix("of this message into family.json5."))
  }

  @Test func theLineKeepsNamesByteForByteAlsoWhereTheyAreCopiedFromATerminal() throws {
    let names: [AcceptedLosses.Name] = [
      .init(entity: "Cafe\u{301}", property: "a\"b"), .init(entity: "Caf\u{E9}"),
    ]
    let line = AcceptingLine(names, besides: AcceptedLosses())
    #expect(
      line.text.utf8.elementsEqual("acceptedLosses: [\"Cafe\\u0301.a\\\"b\", \"Caf\u{E9}\"]".utf8),
      "\(line.text)")
  }

  @Test func eachWayToKeepIsSaidOnceAndWhatIsManyIsCutOff() throws {
    let losses = (1...7).flatMap { number in
      ["a", "b"].map {
        MigrationReport.Loss(
          kind: .entity, entity: "E\(number)", property: nil, values: 1, cause: .noEntityMapping, version: $0)
      }
    }
    let failure = try #require(MigrationFailure(forbidden: losses, by: "x", accepted: AcceptedLosses()))
    #expect(failure.advice.components(separatedBy: "{ remove: \"E1\" }").count == 2)
    #expect(failure.advice.contains("E5") && !failure.advice.contains("E6"))
    #expect(failure.advice.contains("Do the same for the others. If the losses are intended"))
    let mixed = try #require(
      MigrationFailure(
        forbidden: losses + [
          .init(kind: .attribute, entity: "F", property: "x", values: 1, cause: .unread),
          .init(kind: .attribute, entity: "F", property: "y", values: 1, cause: .missingFile),
        ], by: "x", accepted: AcceptedLosses()))
    #expect(mixed.advice.contains("E3") && !mixed.advice.contains("E4"))
    #expect(
      mixed.advice.contains(
        "Give “F.x” a place in an entity mapping. Put the store's folder of external data beside the store, and migrate it again. "
          + "Do the same for the others of each kind. If the losses are intended"), "\(mixed.advice)")
    #expect(
      failure.details
        == ["acceptedLosses: [\"E1\", \"E2\", \"E3\", \"E4\", \"E5\", \"E6\", \"E7\"]"])
  }

  @Test func anAcceptedEntityIsNoAcceptedProperty() throws {
    let shop = try Self.shop("{ acceptedLosses: [\"Base\", \"Note\", \"Gone\"] }")
    let failure = #expect(throws: MigrationFailure.self) { try Migration.run(Self.strict(shop)) }
    #expect(failure?.message.contains("“Base.x”") == true && failure?.message.contains("“Note.fecha”") == true)
    #expect(failure?.message.contains("“Gone”") == false)
  }

  @Test func whatHoldsNoValueRefusesNoStrictJob() throws {
    let shop = try Workshop(Self.versions)
    try shop.makeStore("INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1)")
    #expect(try Migration.run(Self.strict(shop)).realLosses.isEmpty)
  }

  // MARK: Mapping models

  private static let random = #"{ source: "Note", destination: "Note", filter: "random() >= 0" }"#

  @Test func whatNobodyCanCountRefusesAStrictJobUnlessTheEntityIsAccepted() throws {
    let models = ["Note\n text String?", "Note\n text String?\n more String?"]
    let shop = try Workshop(models)
    try shop.map(Self.random)
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a')")
    let failure = #expect(throws: MigrationFailure.self) { try Migration.run(Self.strict(shop)) }
    #expect(failure?.reason == .dataLoss && failure?.message.contains("--strict") == true)
    try shop.folder.write("{ acceptedLosses: [\"Note\"] }", to: "models/Notes/family.json5")
    #expect(try Migration.run(Self.strict(shop)).result == .migrated)
  }

  /// Two steps: V1 to V2 by a mapping model, and V2 to V3 inferred.
  ///
  /// V3 has no place for `Note.b`.
  private static func chain(_ family: String? = nil) throws -> Workshop {
    let shop = try Workshop("Note\n a String?", "Note\n b String?", "Note\n c Int32?", family: family)
    try shop.map(#"{ source: "Note", destination: "Note", attributes: { b: "$source.a" } }"#)
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x'), (2, 1, 1, 'y');")
    return shop
  }

  @Test func aLossOnTheWayIsAcceptedByTheNamesThatTheVersionBeforeItHas() throws {
    let shop = try Self.chain("{ acceptedLosses: [\"Note.b\"] }")
    let report = try Migration.run(Self.strict(shop))
    #expect(report.realLosses.map(\.accepted) == [true] && report.realLosses.first?.version == "V2")
    let other = try Self.chain("{ acceptedLosses: [\"Note.a\"] }")
    let failure = #expect(throws: MigrationFailure.self) { try Migration.run(Self.strict(other)) }
    #expect(failure?.message.contains("“Note.b” of the intermediate version “V2” with 2 values") == true)
    #expect(!FileManager.default.fileExists(atPath: other.output.path))
  }

  @Test func whatIsAcceptedWhileTheWorkRestsCountsAsAccepted() throws {
    let shop = try Self.chain()
    // Both steps are finished, but the output's folder doesn't exist, so nothing can be delivered.
    var job = shop.job()
    job.output = shop.output.deletingLastPathComponent().appendingPathComponent("nowhere/Store.sqlite")
    #expect(throws: MigrationFailure.self) { try Migration.run(job) }
    #expect(throws: MigrationFailure.self) { try Migration.run(Self.strict(shop)) }
    try shop.folder.write("{ acceptedLosses: [\"Note.b\"] }", to: "models/Notes/family.json5")
    let report = try Migration.run(Self.strict(shop))
    #expect(report.realLosses.map(\.accepted) == [true] && report.steps.last?.resumedChunks ?? 0 > 0)
  }
}
