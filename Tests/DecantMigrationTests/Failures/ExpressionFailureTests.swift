import DecantPolicies
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

/// An expression that fails on an object gives the same message over sets of rows and row by row.
@Suite("Failures: expressions") struct ExpressionFailureTests {
  private static let rows = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZPOINTS) VALUES (2, 1, 1, '7', 1), (5, 1, 1, 'many', 70000),
      (6, 1, 1, '8', 2), (9, 1, 1, 'x', 80000);
    """

  /// The failures of the migration over sets of rows and row by row, with several chunk sizes.
  private func failures(_ mapping: String) throws -> [MigrationFailure] {
    let shop = try Workshop(
      "Note\n text String?\n points Int32?", "Note\n text String?\n points Int16?\n moment Date?")
    try shop.map("{ source: \"Note\", destination: \"Note\", \(mapping) }")
    try shop.makeStore(Self.rows)
    var failures: [MigrationFailure] = []
    for goesByRows in [false, true] {
      for size in [1, 3, 100] {
        var job = shop.job(chunkSize: size)
        job.goesByRows = goesByRows
        let failure = try #require(throws: MigrationFailure.self) { try Migration.run(job) }
        try? FileManager.default.removeItem(at: shop.work)
        for hidden in ["SELECT", "SQLite", "$v", shop.folder.url.path] {
          #expect(!failure.description.contains(hidden), "\(goesByRows) \(size): \(failure)")
        }
        failures.append(failure)
      }
    }
    return failures
  }

  @Test(arguments: [
    (
      "attributes: { points: \"$source.points * 1\" }",
      "attribute “points”: “$source.points * 1” fails on the source object Note/p5: “Note.points” is of type Integer 16 and "
        + "has no room for a number of that size; widen its type or change the expression.",
      "Change that expression in the mapping model, or keep such objects back with a filter."
    ),
    (
      "attributes: { points: null, moment: \"CAST(CAST($source.text, 'NSNumber'), 'NSDate')\" }",
      "attribute “moment”: “CAST(CAST($source.text, \"NSNumber\"), \"NSDate\")” fails on the source object Note/p5: ",
      "Change that expression in the mapping model, or keep such objects back with a filter."
    ),
    (
      "attributes: { points: null }, filter: \"points < 5 OR CAST(text, 'NSNumber') != nil\"",
      "filter: “points < 5 OR CAST(text, \"NSNumber\") != nil” fails on the source object Note/p5: ",
      "Change that filter in the mapping model, so that it has a value for every object."
    ),
    (
      "attributes: { points: null }, uniqueBy: \"CAST(CAST($source.text, 'NSNumber'), 'NSDate')\"",
      "uniqueBy: “CAST(CAST($source.text, \"NSNumber\"), \"NSDate\")” fails on the source object Note/p5: ",
      "Change that expression in the mapping model, or keep such objects back with a filter."
    ),
    (
      "attributes: { points: \"$source.points\" }, filter: \"text != 'many'\"",
      "attribute “points”: “$source.points” fails on the source object Note/p9: ",
      "Change that expression in the mapping model, or keep such objects back with a filter."
    ),
  ])
  func everyPathNamesStorePassMappingPlaceExpressionAndObject(
    mapping: String, words: String, advice: String
  ) throws {
    for failure in try failures(mapping) {
      #expect(failure.reason == .valuesDoNotFit && failure.disposition == .refuse)
      #expect(
        failure.message.hasPrefix("Store.sqlite: Entity mapping “NoteToNote” (pass “Step”), \(words)"),
        "\(failure)")
      #expect(failure.advice == advice)
    }
  }

  @Test("the reason of a failure that depends on the time is that of the evaluator")
  func time() throws {
    for failure in try failures(
      "attributes: { points: null, moment: \"CAST(CAST(TERNARY(now() > CAST(0, 'NSDate'), $source.text, '7'), 'NSNumber'), 'NSDate')\" }"
    ) {
      #expect(failure.message.contains("” fails on the source object Note/p5: “CAST("), "\(failure)")
    }
  }

  @Test func chunkPredicatesAreNamedByTheirNumber() throws {
    for failure in try failures(
      "attributes: { points: null }, chunks: [\"points < 5\", \"points >= 5 AND CAST(text, 'NSNumber') == nil\"]"
    ) {
      #expect(
        failure.message.hasPrefix(
          "Store.sqlite: Entity mapping “NoteToNote” (pass “Step”), chunk 2: "
            + "“points >= 5 AND CAST(text, \"NSNumber\") == nil” fails on the source object Note/p5: "),
        "\(failure)")
    }
  }

  /// A predicate that is true for every row, and that can't be translated into SQL.
  private static let always = "SUBQUERY({1, 2}, $x, $x > 1).@count == 1"

  @Test(
    "an expression that can't be translated into SQL gives the same message",
    arguments: [
      ("attributes: { points: null }, filter: \"\(always) AND CAST(text, 'NSNumber') != nil\"", "filter: "),
      (
        "attributes: { points: null }, uniqueBy: \"TERNARY(\(always), CAST(CAST($source.text, 'NSNumber'), 'NSDate'), nil)\"",
        "uniqueBy: "
      ),
      (
        "attributes: { points: null, moment: \"TERNARY(\(always), CAST(CAST($source.text, 'NSNumber'), 'NSDate'), nil)\" }",
        "attribute “moment”: "
      ),
      (
        "attributes: { points: null }, chunks: [\"\(always) AND CAST(text, 'NSNumber') != nil\", \"text == 'no'\"]",
        "chunk 1: "
      ),
    ])
  func evaluated(mapping: String, place: String) throws {
    for failure in try failures(mapping) {
      #expect(failure.reason == .valuesDoNotFit)
      #expect(
        failure.message.hasPrefix("Store.sqlite: Entity mapping “NoteToNote” (pass “Step”), \(place)“"),
        "\(failure)")
      #expect(failure.message.contains("” fails on the source object Note/p5: “CAST("), "\(failure)")
    }
  }

  /// Throws an error if an expression of the mapping model calls the policy.
  final class Refusing: EntityMigrationPolicy {
    override func invoke(_ selector: String, with arguments: [Any?]) throws -> Any? {
      throw NSError(domain: "App", code: 7)
    }
  }

  @Test func anExpressionOfAPolicysMappingIsNotThePolicysFaultUnlessItAsksThePolicy() throws {
    for (expression, isPolicy) in [
      ("$source.points", false), ("FUNCTION($entityPolicy, 'a:', $source.points)", true),
    ] {
      var shop = try Workshop("Note\n points Int32?", "Note\n points Int16?")
      shop.policies.add(Refusing.self)
      try shop.map(
        "{ source: \"Note\", destination: \"Note\", policy: \"Refusing\", attributes: { points: \"\(expression)\" } }"
      )
      try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZPOINTS) VALUES (3, 1, 1, 99999)")
      let failure = try shop.failure()
      #expect(failure.reason == (isPolicy ? .policyFailed : .valuesDoNotFit))
      #expect(failure.message.contains("policy Refusing") == isPolicy, "\(failure)")
      #expect(
        failure.message.contains("attribute “points”") && failure.message.contains("Note/p3"), "\(failure)")
      #expect(failure.advice.hasPrefix(isPolicy ? "Fix the policy" : "Change that expression"))
    }
  }
}
