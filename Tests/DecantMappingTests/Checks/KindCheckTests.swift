import DecantModel
import PredicateFormat
import Testing

@testable import DecantMapping

/// Operands whose kinds don't fit together, found without any rows.
@Suite struct KindCheckTests {
  private static let source = Result {
    try model(
      entity(
        "Nota",
        [
          optional("texto"), optional("otro"), optional("momento", .date), optional("grado", .integer16),
          optional("flag", .boolean), optional("precio", .decimal), optional("id", .uuid),
          optional("web", .uri),
          optional("datos", .binary), optional("cosa", .transformable), transient("fugaz"),
        ],
        [
          toOne("autor", "Persona"), toMany("marcas", "Marca"),
          toMany("lista", "Marca", isOrdered: true), toOne("forma", "Forma"),
        ]),
      entity("Persona", [optional("nombre"), optional("nacido", .date)], [toMany("notas", "Nota")]),
      entity("Marca", [optional("palabra"), optional("peso", .double)]),
      entity("Forma", isAbstract: true), entity("Disco", under: "Forma", [optional("medida", .double)]),
      entity("Nombre", under: "Forma", [optional("medida")]),
      entity("Punto", under: "Forma", [optional("hora", .date)]))
  }

  private func found(_ keys: String, target: AttributeType = .string) throws -> [String] {
    let source = try Self.source.get()
    let destination = try model(entity("Nota", [optional("texto", target)]))
    let text = """
      { source: "One", destination: "Two", entityMappings: [
        { name: "N", source: "Nota", destination: "Nota", \(keys) }] }
      """
    let mapping = try readText(text).compiled(from: source, to: destination)
    return MappingCheck.findings(in: mapping, from: source, to: destination).map {
      "\($0.severity) \($0.property.map { "\($0): " } ?? "")\($0.problem). \($0.advice)"
    }
  }

  private func filtered(_ predicate: String) throws -> [String] {
    try found("attributes: { texto: null }, filter: \(JSON5Text.quoted(predicate))")
  }

  @Test(arguments: [
    ("texto > momento", "expected a string to compare with a string, found a date. Compare values of one kind"),
    (
      "momento > 0",
      "expected a date to compare with a date, as in CAST(0, \"NSDate\"), found a number. Compare a date with a date, as in "
        + "CAST(0, 'NSDate')"
    ),
    (
      "0 < momento",
      "expected a number to compare with a number, found a date. Compare a date with a date, as in CAST(0, 'NSDate')"
    ),
    (
      "momento CONTAINS \"x\"",
      "expected a collection or a string to look in, found a date. This comparison needs strings"
    ),
    (
      "texto CONTAINS 5",
      "expected a string to look for in a string, found a number. This comparison needs strings"
    ),
    ("grado BEGINSWITH \"x\"", "expected a string, found a number. This comparison needs strings"),
    ("texto ENDSWITH grado", "expected a string, found a number. This comparison needs strings"),
    ("momento LIKE \"x\"", "expected a string, found a date. This comparison needs strings"),
    (
      "texto MATCHES \"(\"",
      "the pattern can't be used: “(” isn't a regular expression. Correct the regular expression"
    ),
    (
      "FUNCTION(SELF, 'valueForKey:', texto) MATCHES \"(\"",
      "the pattern can't be used: “(” isn't a regular expression. Correct the regular expression"
    ),
    (
      "grado BETWEEN {\"a\", \"b\"}",
      "expected a string to compare with a string, found a number. Write both as numbers or both as strings; "
        + "CAST(…, 'NSString') makes a string of a number"
    ),
    (
      "grado BETWEEN {1, 2, 3}", "expected two bounds, as in {1, 5}, found an array. Compare values of one kind"
    ),
    (
      "id < id",
      "expected a number, a date or a string, which have an order, found a UUID. Compare values of one kind"
    ),
    (
      "marcas.palabra BEGINSWITH \"x\"",
      "expected a string, found an array. Write ANY or ALL before the collection for its members, or .@count after it for the number of members"
    ),
    ("ANY texto == \"x\"", "expected a collection after ANY, found a string. Leave ANY out"),
    ("ANY marcas.peso LIKE \"x\"", "expected a string, found a number. This comparison needs strings"),
    (
      "autor.nombre > autor.nacido",
      "expected a string to compare with a string, found a date. Compare values of one kind"
    ),
    (
      "autor.nacido > texto",
      "expected a date to compare with a date, as in CAST(0, \"NSDate\"), found a string. Compare values of one kind"
    ),
    (
      "texto.length > \"3\"",
      "expected a number to compare with a number, found a string. Write both as numbers or both as strings; "
        + "CAST(…, 'NSString') makes a string of a number"
    ),
    (
      "marcas.@count > \"3\"",
      "expected a number to compare with a number, found a string. Write both as numbers or both as strings; "
        + "CAST(…, 'NSString') makes a string of a number"
    ),
    (
      "lista[0].palabra > momento",
      "expected a string to compare with a string, found a date. Compare values of one kind"
    ),
    (
      "autor > 3",
      "expected a number, a date or a string, which have an order, found an object. Compare values of one kind"
    ),
  ])
  func aComparisonThatFailsIsAnError(predicate: String, words: String) throws {
    let text = try FormatPredicate(parsing: predicate).description
    #expect(
      try filtered(predicate) == [
        "error filter: “\(text)” can't be evaluated, so that every store with values there is refused: "
          + words
      ])
  }

  @Test(arguments: [
    (
      "texto == 5",
      "never holds: a string never equals a number. Write both as numbers or both as strings; CAST(…, 'NSString') makes a "
        + "string of a number"
    ),
    (
      "flag != \"NO\"",
      "always holds: a number never equals a string. Write both as numbers or both as strings; CAST(…, 'NSString') makes a "
        + "string of a number"
    ),
    (
      "texto == momento",
      "holds only where both are nil: a string never equals a date. Compare values of one kind"
    ),
    ("texto != momento", "holds unless both are nil: a string never equals a date. Compare values of one kind"),
    (
      "texto IN {1, 2}",
      "never holds: a string never equals a number. Write both as numbers or both as strings; CAST(…, 'NSString') makes a "
        + "string of a number"
    ),
    (
      "marcas.peso CONTAINS \"x\"",
      "never holds: a number never equals a string. Write ANY or ALL before the collection for its members, or .@count "
        + "after it for the number of members"
    ),
    ("autor == \"x\"", "never holds: an object never equals a string. Compare values of one kind"),
    (
      "marcas == 0",
      "never holds: a collection never equals a number. Write ANY or ALL before the collection for its members, or .@count "
        + "after it for the number of members"
    ),
    (
      "ANY marcas.peso == \"x\"",
      "never holds: a number never equals a string. Write both as numbers or both as strings; CAST(…, 'NSString') makes a string of a number"
    ),
    (
      "ALL marcas.palabra == 1",
      "holds for no member: a string never equals a number. Write both as numbers or both as strings; CAST(…, 'NSString') makes a string of a number"
    ),
    (
      "momento > nil",
      "never holds: one side is nil. Write == nil or != nil to ask whether there is a value"
    ),
    (
      "id == \"3F2504E0-4F89-11D3-9A0C-0305E82C3301\"",
      "never holds: a UUID never equals a string. Compare a UUID with a UUID, as in CAST('…', 'NSUUID')"
    ),
  ])
  func aComparisonThatCanNotDependOnTheRowIsAWarning(predicate: String, words: String) throws {
    let text = try FormatPredicate(parsing: predicate).description
    #expect(try filtered(predicate) == ["warning filter: “\(text)” \(words)"])
  }

  @Test(arguments: [
    "texto > otro", "texto == nil", "nil != momento", "momento > CAST(0, 'NSDate')", "momento < now()",
    "grado > 0.5", "precio >= grado", "flag == YES", "flag == 1", "grado IN {1, 'a'}", "texto IN {}",
    "texto MATCHES[c] '[a-z]+'", "texto MATCHES otro", "'a' IN texto", "texto IN 'abc'",
    "texto CONTAINS[cd] otro",
    "ANY marcas.palabra BEGINSWITH 'x'", "marcas.palabra CONTAINS 'x'", "NONE marcas.peso > 3",
    "marcas.@count > 3",
    "marcas == nil", "marcas == lista", "autor == nil", "autor IN marcas", "cosa == nil",

    "texto.length > 3", "momento.timeIntervalSince1970 > 0", "grado BETWEEN {1, 5}",
    "lista[FIRST].peso > 1", "id == CAST('3F2504E0-4F89-11D3-9A0C-0305E82C3301', 'NSUUID')",
    "web.absoluteString BEGINSWITH 'http'", "autor.notas.@count > autor.notas.@max.grado",
    "SUBQUERY(marcas, $m, $m.palabra == texto AND $m.peso > 3).@count > 0",
    "TERNARY(flag == YES, 1, 2) > grado",
    "texto == nil AND texto.lenght == 1", "texto != nil OR texto.lenght == 1", "1 == 2 AND texto > momento",
    "TRUEPREDICATE OR texto > momento", "TERNARY(texto == nil, texto.lenght, 1) == 1", "grado + 1 > grado * 2",
    "CAST(texto, 'NSNumber') > 3",
    "CAST(texto, 'NSUUID') == id", "coalesce(texto, otro) > 'a'", "TRUEPREDICATE",
    "$source.momento > CAST(0, 'NSDate')", "abs(grado) IN {1, 2}", "uppercase(texto) == 'A'",
  ])
  func whatDependsOnTheRowIsNone(predicate: String) throws {
    #expect(try filtered(predicate) == [])
  }

  @Test func aTransientAttributeIsNilAndNothingElse() throws {
    let found = try filtered("fugaz > momento")
    #expect(found.map { $0.prefix(8) } == ["warning ", "warning "])
    #expect(found[1].contains("never holds: one side is nil"))
  }

  @Test(arguments: [
    // “medida” is a number in one subentity of “Forma” and a string in another; a third doesn't have it.
    "forma.medida > 3", "forma.medida BEGINSWITH 'x'", "TERNARY(flag == YES, texto, grado) > 3",
    "coalesce(texto, grado) > 3", "forma.hora > momento", "trim(TERNARY(flag == YES, texto, grado)) == 'a'",
    "CAST(TERNARY(flag == YES, texto, momento), 'NSUUID') == id",
  ])
  func whatFailsForSomeOfTheKindsIsAWarning(predicate: String) throws {
    let found = try filtered(predicate)
    #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("warning ") }, "\(found)")
  }

  @Test func aProgramKnowsNothingOfTheRowsForProperties() throws {
    let row = "attributes: { texto: '$source.momento' }, relationships: {}"
    #expect(try found(row).count == 1)
    #expect(try found("policy: 'P', \(row)").map { $0.prefix(8) } == ["warning "])
    #expect(try found("policy: { program: ['p.py'] }, \(row)") == [])
    #expect(try found("policy: { program: ['p.py'] }, attributes: { texto: '$source.momnto' }").count == 1)
  }

  @Test func partsAndVariablesOfASubqueryAreLookedAt() throws {
    func count(_ predicate: String) throws -> Int { try filtered(predicate).count }
    #expect(try count("texto == nil OR NOT (texto > momento AND grado > 1)") == 1)
    #expect(try count("SUBQUERY(marcas, $m, $m.peso > 'a').@count > 0") == 1)
    #expect(try count("ANY SUBQUERY(marcas, $m, $m.peso > 1).palabra > 3") == 1)
    #expect(try count("SUBQUERY(marcas, $m, $m.peso > 1) == 3") == 1)
    #expect(try count("TERNARY(texto > 1, 1, 2) == 1") == 1)
    #expect(try count("$source.texto > grado") == 1)
  }

  @Test(arguments: [
    ("texto + 1", "expected a number, found a string"), ("momento - 60", "expected a number, found a date"),
    ("uppercase(grado)", "expected a string, found a number"),
    ("CAST(momento, 'NSUUID')", "expected something that can be cast to NSUUID, found a date"),
    ("sum(texto)", "expected a collection of numbers, found a string"),
  ])
  func aCalculationThatFailsIsAnError(expression: String, reason: String) throws {
    let text = try FormatExpression(parsing: expression).description
    #expect(
      try filtered("(\(expression)) == nil") == [
        "error filter: “\(text)” can't be evaluated, so that every store with values there is refused: \(reason). "
          + "Write an expression whose parts fit each other"
      ])
  }

  @Test func allPlacesAreLookedAtAndAPolicyMayLeaveRowsAlone() throws {
    let wrong = "TERNARY($source.texto > $source.momento, 1, 2)"
    #expect(
      try found("uniqueBy: \"\(wrong)\", attributes: { texto: null }")[0].hasPrefix(
        "error uniqueBy: “$source.texto >"))
    #expect(
      try found("chunks: ['texto > 1', 'NOT texto > 1'], attributes: { texto: null }").map { $0.prefix(14) }
        == ["error chunk 1:", "error chunk 2:"])
    let row = "attributes: { texto: \"TERNARY($source.texto > $source.momento, 'a', 'b')\" }"
    #expect(try found(row)[0].hasPrefix("error texto: “$source.texto >"))
    #expect(try found("policy: 'P', \(row)")[0].hasPrefix("warning texto: “$source.texto >"))
    #expect(try found("policy: 'P', filter: 'texto > momento'")[0].hasPrefix("error filter: “texto >"))
  }

  @Test func whatAnAttributeGetsIsHeldAgainstItsType() throws {
    func row(_ expression: String, _ type: AttributeType = .string) throws -> [String] {
      try found("attributes: { texto: \"\(expression)\" }", target: type)
    }
    #expect(
      try row("$source.marcas.palabra") == [
        "error texto: the expression gives many values, and an attribute holds one. Make one value of them, for instance with @count, "
          + "@max or join()"
      ])
    #expect(
      try row("$source.texto.length") == [
        "error texto: the expression gives a number, and the attribute is of type String. Write CAST(…, 'NSString') around the "
          + "expression"
      ])
    #expect(try row("$source.texto.length", .integer16) == [])
    #expect(try row("TERNARY($source.flag == YES, 'a', 'b')", .integer16).count == 1)
    #expect(try row("TERNARY($source.flag == YES, 'a', nil)") == [])
    #expect(try row("join(',', $source.marcas.palabra)") == [])
    #expect(try row("CAST($source.texto, 'NSUUID')", .uuid) == [])
  }

  @Test("a composite attribute or its element has to fit the destination attribute's type") func composites()
    throws
  {
    var author = optional("author", .composite)
    author.elements = [optional("first"), optional("age", .integer16)]
    let source = try model(entity("Note", [author]))
    let destination = try model(entity("Note", [optional("title")]))
    func found(_ expression: String) throws -> [String] {
      let text =
        "{ source: \"One\", destination: \"Two\", entityMappings: [{ source: 'Note', destination: 'Note', attributes: "
        + "{ title: \"\(expression)\" } }] }"
      let mapping = try readText(text).compiled(from: source, to: destination)
      return MappingCheck.findings(in: mapping, from: source, to: destination).map {
        "\($0.severity) \($0.problem)"
      }
    }
    #expect(try found("$source.author.first") == [])
    #expect(
      try found("$source.author.age") == [
        "error the expression gives a number, and the attribute is of type String"
      ])
    #expect(
      try found("noindex($source.author)") == [
        "error the expression gives a composite value, and the attribute is of type String"
      ])
    #expect(try found("$source.author['first']") == [])
  }

  @Test("a fault in only some members is a warning, and a path may give the two bounds of BETWEEN")
  func members() throws {
    let mixed = try found(
      "attributes: { texto: \"join(', ', {$source.texto, TERNARY($source.flag == YES, $source.texto, 5)})\" }")
    #expect(mixed.count == 1 && mixed.allSatisfy { $0.hasPrefix("warning ") }, "\(mixed)")
    let certain = try found(
      "attributes: { texto: \"join(', ', {$source.texto, TERNARY($source.flag == YES, 6, 5)})\" }")
    #expect(certain.contains { $0.hasPrefix("error ") }, "\(certain)")
    for bounds in ["lista.peso", "marcas.peso"] {
      #expect(try filtered("grado BETWEEN \(bounds)") == [])
    }
    #expect(try filtered("grado BETWEEN {1}").contains { $0.hasPrefix("error ") })
    #expect(try filtered("grado BETWEEN lista.palabra").contains { $0.hasPrefix("error ") })
  }

  @Test("a pattern is parsed, but not matched with a constant text")
  func patterns() throws {
    let text = String(repeating: "a", count: 60)
    #expect(try filtered("'\(text)!' MATCHES '(a+)+b'") == [])
    #expect(try filtered("'a' MATCHES '('").count == 1)
  }
}
