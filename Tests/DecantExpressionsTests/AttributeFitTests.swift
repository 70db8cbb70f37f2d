import DecantModel
import Foundation
import PredicateFormat
import Testing

@testable import DecantExpressions
@testable import DecantSQLite
@testable import DecantStore

/// A destination attribute stores the same value from the evaluator and from SQL.
@Suite struct AttributeFitTests {
  private let database: SQLiteDatabase

  init() throws {
    database = try SQLiteDatabase("fit", mode: .memory)
    try ExpressionFunctions.register(in: database, now: 0)
    try ExternalDataFunction.register(in: database, folder: "/nowhere")
  }

  private static let uuid = UUID(uuidString: "8C2B7A04-0D5C-4A8E-9B36-7E0D3E6B5A11") ?? UUID()
  private static let decimal = Decimal(string: "10.11", locale: Locale(identifier: "en_US_POSIX")) ?? 0
  private static let values: [(text: String, value: Value)] = [
    ("nil", .null), ("YES", .boolean(true)), ("NO", .boolean(false)), ("7", .integer(7)),
    ("70000", .integer(70000)),
    ("-9223372036854775808", .integer(.min)), ("1.0", .double(1)), ("1.5", .double(1.5)),
    ("-1.9", .double(-1.9)),
    ("1e300", .double(1e300)), ("0.1", .double(0.1)), ("'text'", .string("text")), ("''", .string("")),
    ("CAST('10.11', 'NSDecimalNumber')", .decimal(decimal)), ("CAST(60.5, 'NSDate')", .date(60.5)),
    ("CAST('8C2B7A04-0D5C-4A8E-9B36-7E0D3E6B5A11', 'NSUUID')", .uuid(uuid)),
    ("CAST('https://example.org', 'NSURL')", .url("https://example.org")),
    ("CAST('AQI=', 'NSData')", .data(Data([1, 2]))),
    ("CAST('NSString', 'Class')", .className("NSString")),
  ]

  @Test(arguments: AttributeType.allCases, [false, true])
  func rowsAndSQLStoreTheSame(type: AttributeType, isExternal: Bool) throws {
    let attribute = Attribute(name: "it", type: type, allowsExternalBinaryDataStorage: isExternal)
    let fit = AttributeFit(attribute, entity: "Nota")
    let sql = SourceSQL(layout: try ExpressionModel.layout(), entity: "Note", schema: "main")
    for (text, value) in Self.values {
      let byRow = Result { () throws(ValueMisfit) in try fit.stored(value) }
      let statement = "SELECT \(fit.stored(try sql.typed(FormatExpression(parsing: text))))"
      switch byRow {
      case .success(let stored): #expect(try database.rows(statement) == [[stored]], "\(type.name) of \(text)")
      case .failure(let misfit):
        let error = #expect(throws: SQLiteError.self) { _ = try database.rows(statement) }
        #expect(error?.message == "\(misfit)", "\(type.name) of \(text)")
      }
    }
  }

  private func stored(_ type: AttributeType, _ value: Value) throws -> SQLiteValue {
    try AttributeFit(Attribute(name: "it", type: type), entity: "Nota").stored(value)
  }

  @Test func numbersConvertAsNSNumbersDo() throws {
    #expect(try stored(.integer16, .double(1.9)) == .integer(1))
    #expect(try stored(.integer32, .double(-1.9)) == .integer(-1))
    #expect(try stored(.integer64, .decimal(Self.decimal)) == .integer(10))
    #expect(try stored(.integer16, .boolean(true)) == .integer(1))
    #expect(try stored(.boolean, .double(0.5)) == .integer(1))
    #expect(try stored(.boolean, .integer(0)) == .integer(0))
    #expect(try stored(.float, .double(0.1)) == .real(Double(Float(0.1))))
    #expect(try stored(.double, .integer(3)) == .real(3))
    #expect(try stored(.double, .double(.nan)) == .null)
    #expect(try stored(.decimal, .integer(3)) == .integer(3))
    #expect(try stored(.decimal, .decimal(Self.decimal)) == .real(10.11))
    #expect(try stored(.decimal, .double(2.5)) == .real(2.5))
  }

  @Test func whatWouldBeLostIsAnErrorThatSaysWhatToDo() throws {
    func complaint(_ type: AttributeType, _ value: Value) -> String? {
      do { _ = try stored(type, value) } catch { return "\(error)" }
      return nil
    }
    #expect(
      complaint(.integer16, .integer(40_000))
        == "“Nota.it” is of type Integer 16 and has no room for a number of that size; widen its type or change the expression"
    )
    #expect(complaint(.integer64, .double(1e19))?.contains("no room") == true)
    #expect(complaint(.integer32, .double(.infinity))?.contains("no room") == true)
    #expect(complaint(.float, .double(1e300))?.contains("no room") == true)
    #expect(complaint(.decimal, .double(1e200))?.contains("no room") == true)
    #expect(
      complaint(.integer16, .string("12"))
        == "“Nota.it” is of type Integer 16 and can't take a string; convert it, as in CAST(value, \"NSNumber\")"
    )
    #expect(complaint(.date, .double(5))?.contains("CAST(seconds, \"NSDate\")") == true)
    #expect(complaint(.string, .integer(5))?.contains("CAST(value, \"NSString\")") == true)
    #expect(complaint(.uuid, .string("x"))?.contains("NSUUID") == true)
    #expect(complaint(.double, .date(5))?.contains("can't take a date") == true)
    #expect(complaint(.string, .set([.integer(1)]))?.contains("can't take a set") == true)
    #expect(complaint(.composite, .integer(1))?.contains("storage isn't known") == true)
  }

  @Test func valuesOfWhichOnlyTheStorageClassIsKnown() throws {
    func stored(_ type: AttributeType, _ text: String) throws -> [SQLiteValue] {
      try database.rows(
        "SELECT \(AttributeFit(Attribute(name: "it", type: type), entity: "Nota").stored(text))")[0]
    }
    #expect(try stored(.date, "60") == [.real(60)])
    #expect(try stored(.uri, "'u'") == [.text("u")])
    #expect(try stored(.uuid, "zeroblob(16)") == [.blob(Data(repeating: 0, count: 16))])
    #expect(try stored(.integer16, "1.5") == [.integer(1)])
    #expect(try stored(.transformable, "x'01'") == [.blob(Data([1]))])
    #expect(try stored(.string, "NULL") == [.null])
    #expect(throws: SQLiteError.self) { try stored(.string, "1") }
    #expect(throws: SQLiteError.self) { try stored(.uuid, "x'01'") }
    #expect(throws: SQLiteError.self) { try stored(.integer16, "70000") }
  }

  @Test func kindsThatFitAreNoCalls() throws {
    let sql = SourceSQL(layout: try ExpressionModel.layout(), entity: "Note")
    for (key, type) in [
      ("text", AttributeType.string), ("moment", .date), ("real", .double), ("large", .integer64),
      ("flag", .boolean),
      ("identifier", .uuid), ("link", .uri), ("price", .decimal), ("bytes", .binary), ("thing", .transformable),
    ] {
      let value = try sql.typed(.key(key))
      #expect(AttributeFit(Attribute(name: key, type: type), entity: "Nota").stored(value) == value.text)
    }
  }
}
