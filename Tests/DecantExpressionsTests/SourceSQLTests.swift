import DecantModel
import DecantTestSupport
import Foundation
import PredicateFormat
import Testing

@testable import DecantExpressions
@testable import DecantSQLite
@testable import DecantStore

/// The SQL of expressions, and its results, also for rows with values that don't fit their columns.
@Suite struct SourceSQLTests {
  private let store: ExpressionStore
  private let folder: TemporaryFolder

  init() throws {
    store = try ExpressionStore(seed: 1, rowsPerEntity: 0)
    folder = try TemporaryFolder()
  }

  private func sql(_ text: String, of entity: String = "Note") throws -> String {
    try SourceSQL(layout: store.layout, entity: entity, schema: "main").condition(
      FormatPredicate(parsing: text))
  }

  private func value(_ text: String, of entity: String = "Note") throws -> String {
    try SourceSQL(layout: store.layout, entity: entity, schema: "main").value(FormatExpression(parsing: text))
  }

  private func selected(_ sql: String, from table: String = "ZNOTE") throws -> [SQLiteValue] {
    try store.database.rows("SELECT \(sql) FROM main.\(table) AS s ORDER BY s.Z_PK").compactMap(\.first)
  }

  @Test func whatSQLSaysItselfNeedsNoEvaluator() throws {
    for text in [
      "small == 1 AND real > 2.5", "author.name == 'Ana' OR comments.@count > 2", "moment < CAST(0, 'NSDate')",
      "text IN {'a', 'b'}",
      "small BETWEEN {1, 5}", "ANY comments.stars > 3", "SUBQUERY(comments, $c, $c.stars > 3).@count == 0",
      "author == nil",
      "moment == now()", "NOT (flag == YES)", "$source.author.notes.@count >= small * 2 + 1",
      "lines[FIRST].text == text",
      "SELF IN author.notes", "NONE author.tags.name == text",
    ] {
      let sql = try sql(text)
      #expect(!sql.contains("decant_condition") && !sql.contains("decant_value"), "\(text): \(sql)")
    }
    #expect(try sql("text LIKE 'a*'").hasPrefix("decant_condition('$v1 LIKE \"a*\"', 'v1=y', CASE typeof("))
  }

  /// An object that a caller gives as an argument, of which only the row is known.
  private struct Given: KeyValueObject {
    let identity: ObjectIdentity
    let label = "given"

    init(_ root: String, _ key: Int64) { identity = .row(space: root, key: key) }

    func value(forKey key: String) throws -> Value? { nil }
    var value: Value { .object(ObjectReference(self)) }
  }

  @Test func objectsAsArgumentsAreComparedByTheirKeys() throws {
    try store.database.execute(
      """
      INSERT INTO ZAUTHOR (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'Ana'), (2, 1, 'Eva');
      INSERT INTO ZNOTE (Z_PK, Z_ENT, ZAUTHOR) VALUES (1, 5, 1), (2, 5, 2), (3, 5, NULL), (4, 7, 1), (5, 5, 99);
      INSERT INTO ZCOMMENT (Z_PK, Z_ENT, ZNOTE) VALUES (1, 2, 4), (2, 2, 1);
      """)
    let (ana, comment, gone) = (Given("Author", 1).value, Given("Comment", 2).value, Given("Author", 99).value)
    let note = Given(try #require(store.layout.model.root(of: "Note")?.name), 4).value
    for (text, argument, keys) in [
      ("author == %@", ana, [1, 4]), ("author != %@", ana, [2, 3, 5]), ("%@ = author", ana, [1, 4]),
      ("SELF == %@", note, [4]), ("author.notes CONTAINS %@", note, [1, 4]), ("%@ IN comments", comment, [1]),
      ("ANY comments == %@", comment, [1]), ("author == %@", gone, []),
      ("author IN %@", .set([ana, gone]), [1, 4]),
      ("author IN %@", .array([gone, Given("Author", 2).value]), [2]),
      ("NOT SELF IN %@", .set([note]), [1, 2, 3, 5]), ("author == %@ AND SELF != %@", ana, [1, 4]),
      ("author == %@", note, []),
    ] as [(String, Value, [Int64])] {
      let arguments = Array(repeating: argument, count: text.count { $0 == "%" })
      let predicate = try FormatPredicate(parsing: text, arguments: arguments)
      let sql = try SourceSQL(layout: store.layout, entity: "Note", schema: "main").condition(predicate)
      let found = try store.database.rows("SELECT Z_PK FROM ZNOTE AS s WHERE \(sql) ORDER BY 1")
      #expect(found.compactMap { $0.first?.integer } == keys, "\(text): \(sql)")
      let rows = try store.database.rows("SELECT Z_PK, Z_ENT FROM ZNOTE ORDER BY 1")
      let evaluated = try rows.compactMap { row -> Int64? in
        guard let key = row.first?.integer else { return nil }
        let entity = row.last == .integer(7) ? store.layout.entityNumbers.first { $0.value == 7 }?.key : "Note"
        let object = Value.object(ObjectReference(store.rows.object(entity: entity ?? "Note", key: key)))
        return try predicate.holds(in: EvaluationContext(object: object)) ? key : nil
      }
      #expect(evaluated == keys, "\(text) by the evaluator")
    }
  }

  @Test func theKeysOfAnObjectThatACallerGivesAreNotThoseOfARow() throws {
    // The object may belong to another store, so that its values aren't known.
    for text in ["%@.name == author.name", "author.name == %@.name"] {
      let predicate = try FormatPredicate(parsing: text, arguments: [Given("Author", 1).value])
      #expect(throws: NotSQL.self, "\(text)") {
        try SourceSQL(layout: store.layout, entity: "Note", schema: "main").condition(predicate)
      }
    }
    let detached = try FormatPredicate(parsing: "author == %@", arguments: [Given("Elsewhere", 1).value])
    #expect(throws: NotSQL.self) {
      try SourceSQL(layout: store.layout, entity: "Note", schema: "main").condition(detached)
    }
  }

  @Test func conditionsAndValuesOfAnAttachedSource() throws {
    let path = folder.path("source.sqlite")
    let file = try SQLiteDatabase(path, mode: .create)
    for statement in try SchemaStatements(store.layout).all { try file.execute(statement) }
    try file.execute("INSERT INTO ZAUTHOR (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'Ana'), (2, 1, NULL)")
    try file.execute(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, ZAUTHOR, ZMOMENT) VALUES (1, 5, 1, 60), (2, 5, 2, 0.5), (3, 5, NULL, NULL)"
    )
    let work = try SQLiteDatabase(folder.path("work.sqlite"), mode: .create)
    try ExpressionFunctions.register(in: work, now: 0)
    try work.attachImmutable(path, as: "source")
    let sql = SourceSQL(layout: store.layout, entity: "Note")
    let name = try sql.value(FormatExpression(parsing: "$source.author.name.length"))
    let moment = try sql.value(FormatExpression(parsing: "CAST(moment, 'NSNumber') + 1"))
    let condition = try sql.condition(
      FormatPredicate(parsing: "author.name BEGINSWITH[c] 'a' OR author == nil"))
    let (key, entity) = try sql.object(FormatExpression(parsing: "$source.author"))
    let rows = try work.rows(
      "SELECT \(name), \(moment), \(condition), \(key) FROM source.ZNOTE AS s ORDER BY s.Z_PK")
    #expect(
      rows == [
        [.integer(3), .real(61), .integer(1), .integer(1)], [.null, .real(1.5), .integer(0), .integer(2)],
        [.null, .null, .integer(1), .null],
      ])
    #expect(entity == "Author")
  }

  @Test func valuesAsAStoreHoldsThem() throws {
    try store.database.execute(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, ZFLAG, ZMOMENT, ZPRICE, ZIDENTIFIER, ZLINK, ZTEXT) "
        + "VALUES (1, 5, 1, 60, 10.11, x'8c2b7a040d5c4a8e9b367e0d3e6b5a11', 'https://example.org', 'Ño')")
    #expect(try selected(value("moment")) == [.real(60)])
    #expect(try selected(value("flag")) == [.integer(1)])
    #expect(try selected(value("price + 1")) == [.real(11.11)])
    #expect(try selected(value("price * 100")) == [.integer(1011)])
    #expect(try selected(value("TERNARY(flag == YES, moment, text)")) == [.real(60)])
    #expect(try selected(value("uppercase(text)")) == [.text("ÑO")])
    #expect(
      try selected(value("CAST('00000000-0000-0000-0000-000000000001', 'NSUUID')")) == [
        .blob(Data(repeating: 0, count: 15) + [1])
      ])
    #expect(try selected(value("link.absoluteString")) == [.text("https://example.org")])
    #expect(try selected(value("0.1 + 0.2")) == [.real(0.1 + 0.2)])
    #expect(try selected(value("now()")) == [.real(ExpressionStore.now)])
  }

  @Test func columnsThatHoldSomethingElseEndTheStatement() throws {
    try store.database.execute(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, ZSMALL, ZTEXT, ZIDENTIFIER, ZMOMENT) VALUES (1, 5, 'many', x'00', x'0102', 'soon')"
    )
    let object = store.rows.object(entity: "Note", key: 1)
    for (key, type) in [
      ("small", "Integer 16"), ("text", "String"), ("identifier", "UUID"), ("moment", "Date"),
    ] {
      let error = #expect(throws: SQLiteError.self) { _ = try selected(value(key)) }
      #expect(
        error?.message.contains("“Note.\(key)” is of type \(type), but a row holds") == true,
        "\(error?.message ?? "")")
      #expect(throws: AttributeColumn.Misfit.self) { try object.value(forKey: key) }
    }
  }

  @Test func aCollationOfTheFileChangesNothing() throws {
    let statement = try #require(
      try SchemaStatements(store.layout).all.first { $0.hasPrefix("CREATE TABLE ZNOTE (") })
    try store.database.execute("DROP TABLE ZNOTE")
    try store.database.execute(statement.replacing("ZTEXT VARCHAR", with: "ZTEXT VARCHAR COLLATE NOCASE"))
    try store.database.execute("INSERT INTO ZNOTE (Z_PK, Z_ENT, ZTEXT, ZOTHER) VALUES (1, 5, 'B', 'b')")
    #expect(try store.database.integer("SELECT ZTEXT = 'b' FROM ZNOTE") == 1)
    for text in [
      "text == 'b'", "text IN {'b', 'c'}", "text == other", "text BETWEEN {'b', 'c'}", "text >= other",
    ] {
      #expect(try selected(sql(text)) == [.integer(0)], "\(text)")
    }
  }

  @Test func errorsAreRaisedOnlyWhereTheEvaluatorLooks() throws {
    try store.database.execute("INSERT INTO ZNOTE (Z_PK, Z_ENT, ZSMALL, ZTEXT) VALUES (1, 5, 1, 'a')")
    #expect(try selected(sql("small == 1 OR text < 5")) == [.integer(1)])
    #expect(try selected(sql("small == 2 AND done == YES")) == [.integer(0)])
    #expect(try selected(value("TERNARY(small == 1, text, 'a' + 1)")) == [.text("a")])
    let error = #expect(throws: SQLiteError.self) { _ = try selected(sql("small == 2 OR text < 5")) }
    #expect(error?.message.contains("found a number") == true, "\(error?.message ?? "")")
    let unknown = #expect(throws: SQLiteError.self) { _ = try selected(sql("done == YES")) }
    #expect(unknown?.message == "the object “Note/p1” has no key “done”")
  }

  @Test func functionsOfTheCaller() throws {
    let functions = FunctionTable(named: [
      "twice": { arguments in
        guard case .string(let text)? = arguments.first else { return .null }
        return .string(text + text)
      }
    ])
    try ExpressionFunctions.register(in: store.database, now: 0, functions: functions)
    try store.database.execute("INSERT INTO ZNOTE (Z_PK, Z_ENT, ZTEXT) VALUES (1, 5, 'ab')")
    #expect(try selected(value("twice(text)")) == [.text("abab")])
    let error = #expect(throws: SQLiteError.self) { _ = try selected(value("thrice(text)")) }
    #expect(error?.message.contains("there is no function “thrice") == true, "\(error?.message ?? "")")
  }

  @Test func hostileTextStaysText() throws {
    try store.database.execute("INSERT INTO ZNOTE (Z_PK, Z_ENT, ZTEXT) VALUES (1, 5, 'a')")
    for text in ["'); DROP TABLE ZNOTE; --", "\u{0}'", "\\", "“", "$v1", "\"", "'\n"] {
      let literal = PredicateGenerator.quoted(text).replacing("\u{0}", with: "\\x00")
      #expect(try selected(sql("text == \(literal)")) == [.integer(0)])
      #expect(try selected(sql("text BEGINSWITH[c] \(literal)")) == [.integer(0)])
      #expect(try selected(value("TERNARY(text == nil, 'x', \(literal))")) == [.text(text)])
    }
  }
}
