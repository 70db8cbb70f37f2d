import DecantModel
import PredicateFormat
import Testing

@testable import DecantMapping

/// Faults in function calls that are found without any rows.
@Suite struct FunctionCheckTests {
  private func findings(title: String, filter: String? = nil, type: AttributeType = .string) throws -> [String]
  {
    let source = try model(
      entity(
        "Note",
        [optional("title"), optional("count", .integer64), optional("when", .date), optional("file", .binary)]))
    let destination = try model(entity("Note", [optional("title", type)]))
    let filter = filter.map { ", filter: \"\($0)\"" } ?? ""
    let text = """
      { source: "One", destination: "Two", entityMappings: [
        { name: "Notes", source: "Note", destination: "Note"\(filter), attributes: { title: "\(title)" } }] }
      """
    let mapping = try readText(text).compiled(from: source, to: destination)
    return MappingCheck.findings(in: mapping, from: source, to: destination).map { finding in
      "\(finding.severity) \(finding.entityMapping ?? "").\(finding.property ?? ""): \(finding.problem). "
        + finding.advice
    }
  }

  @Test(arguments: [
    ("splt($source.title, ',', 0)", "there is no function “splt”. Perhaps “split” is meant"),
    ("capitalize($source.title)", "there is no function “capitalize”. Perhaps “capitalise” is meant"),
    ("upercase($source.title)", "there is no function “upercase”. Perhaps “uppercase” is meant"),
    (
      "frobnicate($source.title)",
      "there is no function “frobnicate”. The functions are those of the language and of docs/functions.md"
    ),
    ("split($source.title, ',')", "“split” is called with 2 arguments. Write split(text, separator, index)"),
    ("trim()", "“trim” is called with 0 arguments. Write trim(text, [characters])"),
    ("trim($source.title, 'a', 'b')", "“trim” is called with 3 arguments. Write trim(text, [characters])"),
    (
      "split($source.title, ',', 'x')",
      "“index” of “split” is a string. Write a whole number"
    ),
    (
      "padStart($source.title, 20000)",
      "“width” of “padStart” is the number 20000. Write a whole number from 0 to 10000"
    ),
    (
      "substring($source.title, 0, -1)",
      "“count” of “substring” is the number -1. Write a whole number from 0"
    ),
    (
      "trim($source.count)",
      "“text” of “trim” is a number, where a string is wanted. Write CAST(…, 'NSString') around the expression"
    ),
    (
      "formatDate($source.title, 'yyyy')",
      "“date” of “formatDate” is a string, where a date is wanted. Write an expression that gives a date, "
        + "or null to keep the attribute's default"
    ),
    (
      "formatDate($source.when, '')",
      "“pattern” of “formatDate” is an empty string. Write a pattern for dates such as “yyyy-MM-dd”, or a style "
        + "such as “long”"
    ),
    (
      "formatDate($source.when, 'full lng')",
      "“pattern” of “formatDate” is “full lng”, whose letter “f” stands for no field. Write a pattern for dates such "
        + "as “yyyy-MM-dd”, or a style such as “long”"
    ),
    (
      "formatDate($source.when, 'short  short')",
      "“pattern” of “formatDate” is “short short” with too many spaces. Write a pattern for dates such as “yyyy-MM-dd”, or a "
        + "style such as “long”"
    ),
    (
      "formatDate($source.when, 'none none')",
      "“pattern” of “formatDate” is “none none”, which writes nothing. Write a pattern for dates such as “yyyy-MM-dd”, or a "
        + "style such as “long”"
    ),
    (
      "upper($source.title, 'xx')",
      "“locale” of “upper” is “xx”, which isn't the name of a locale. Write the name of a locale, such as “es_MX”"
    ),
    (
      "extract($source.title, '(')",
      "“pattern” of “extract” is “(”, which isn't a valid pattern. Write a regular expression"
    ),
    (
      "formatDate(parseDate($source.title, 'QQQ'), 'yyyy')",
      "“pattern” of “parseDate” is “QQQ”. Write a date pattern with only the letters yuMLdHkhKmsSaEZXxzO"
    ),
    ("join(',', trim(5))", "“text” of “trim” is a number. Write a string"),
  ])
  func aCallThatCanNotWorkIsFound(expression: String, problem: String) throws {
    #expect(try findings(title: expression) == ["error Notes.title: \(problem)"])
  }

  @Test(arguments: [
    "split($source.title, ',', -1)", "join(', ', $source.title, nil, {'a', 'b'})",
    "trim($source.title.description)",
    "sha256($source.file)", "formatDate($source.when, 'yyyy', 'es', 'GMT')", "coalesce($source.title, 'none')",
    "uppercase(trim:($source.title))", "formatNumber($source.count, 2)", "replacePattern(nil, 'a', 'b')",
  ])
  func aCallThatFitsIsNone(expression: String) throws {
    #expect(try findings(title: expression) == [])
  }

  @Test func filtersAreLookedAtAndResultsHeldAgainstTheAttribute() throws {
    #expect(
      try findings(title: "$source.title", filter: "lastwrd(title) == 'a'") == [
        "error Notes.: filter: there is no function “lastwrd”. Perhaps “lastWord” is meant"
      ])
    #expect(
      try findings(title: "trim($source.title)", type: .integer64) == [
        "error Notes.title: the expression gives a string, and the attribute is of type Integer 64. "
          + "Write parseNumber(…) around the expression, or CAST(…, 'NSNumber') if every string is a plain number"
      ])
    #expect(try findings(title: "parseDate($source.title, 'yyyy')", type: .date) == [])
    #expect(try findings(title: "uuid()", type: .uuid) == [])
  }
}
