import Foundation
import PredicateFormat
import Testing

@Suite struct FunctionTests {
  private let scene = Scene([
    "gone": .null, "n": .integer(7), "half": .double(2.5), "price": .decimal(Decimal(string: "1.25") ?? 0),
    "name": .string("Ñandú"), "list": .array([.integer(1), .integer(4), .null, .integer(4)]),
    "empty": .array([]),
    "when": .date(3), "url": .url("https://example.org/a"), "data": .data(Data([1, 2, 3])),
    "id": .uuid(UUID(uuidString: "8C2B7A04-0D5C-4A8E-9B36-7E0D3E6B5A11") ?? UUID()),
  ])

  @Test(arguments: [
    ("n + 1", Value.integer(8)), ("n - 10", .integer(-3)), ("n * 2.5", .double(17.5)), ("n / 2", .integer(3)),
    ("-n / 2", .integer(-3)), ("n / 2.0", .double(3.5)), ("2 ** 10", .integer(1024)), ("2 ** -1", .double(0.5)),
    ("2 ** 0.5 > 1.41", nil), ("(-1) ** 9223372036854775807", .integer(-1)), ("0 ** 0", .integer(1)),
    ("modulus:by:(n, 4)", .integer(3)), ("modulus:by:(-7, 4)", .integer(-3)),
    ("modulus:by:(n, 2.5)", .double(2)),
    ("n / 0", .null), ("n / 0.0", .null), ("price / 0", .null), ("modulus:by:(n, 0)", .null),
    ("gone + 1", .null),
    ("1 - gone", .null), ("gone ** 2", .null), ("-gone", .null), ("TRUE + 1", .integer(2)),
    ("price * 3", .decimal(Decimal(string: "3.75") ?? 0)), ("price + half", .double(3.75)),
    ("price - 0.25", .double(1)), ("price / 2", .decimal(Decimal(string: "0.625") ?? 0)),
    ("9223372036854775807 + 1", .double(9223372036854775808)),
    ("-9223372036854775808 - 1", .double(-9223372036854775808)),
    ("9223372036854775807 * 2", .double(0x1p64)),
    ("-9223372036854775808 / -1", .double(9223372036854775808)),
    ("modulus:by:(-9223372036854775808, -1)", .integer(0)), ("10 ** 30", .double(1e30)),
    ("1e308 * 10", .double(.infinity)), ("1e308 * 10 - 1e308 * 10", .null),
    ("add:to:(1, 2)", .integer(3)), ("from:subtract:(5, 2)", .integer(3)), ("multiply:by:(2, 3)", .integer(6)),
    ("divide:by:(6, 4)", .integer(1)), ("raise:toPower:(3, 2)", .integer(9)),
    ("sqrt(16)", .double(4)), ("sqrt(-1)", .null), ("log(1000)", .double(3)), ("log(0)", .null),
    ("ln(1)", .double(0)),
    ("exp(0)", .double(1)), ("floor(-2.5)", .double(-3)), ("ceiling(2.1)", .double(3)),
    ("trunc(-2.5)", .double(-2)),
    ("abs(-2.5)", .double(2.5)), ("abs(-7)", .integer(7)), ("floor(n)", .integer(7)),
    ("abs(-9223372036854775808)", .double(9223372036854775808)), ("floor(price)", .decimal(1)),
    ("ceiling(price)", .decimal(2)), ("trunc(0 - price)", .decimal(-1)),
    ("abs(0 - price)", .decimal(Decimal(string: "1.25") ?? 0)),
    ("floor(gone)", .null), ("bitwiseAnd:with:(6, 3)", .integer(2)), ("bitwiseOr:with:(6, 3)", .integer(7)),
    ("bitwiseXor:with:(6, 3)", .integer(5)), ("leftshift:by:(1, 4)", .integer(16)),
    ("leftshift:by:(1, 64)", .integer(0)),
    ("rightshift:by:(16, 4)", .integer(1)), ("rightshift:by:(-1, 99)", .integer(-1)),
    ("leftshift:by:(8, -2)", .integer(2)),
    ("onesComplement(0)", .integer(-1)), ("bitwiseAnd:with:(gone, 3)", .null),
    ("uppercase(name)", .string("ÑANDÚ")), ("lowercase(name)", .string("ñandú")), ("uppercase(gone)", .null),
    ("noindex(name)", .string("Ñandú")), ("sum(list)", .integer(9)), ("average(list)", .double(2.25)),
    ("average({1, 2})", .double(1.5)), ("average(empty)", .null), ("sum(empty)", .integer(0)),
    ("min(list)", .integer(1)),
    ("max(list)", .integer(4)), ("max(empty)", .null), ("count(list)", .integer(4)), ("count(gone)", .null),
    ("median(list)", .integer(4)), ("median({1, 2, 4, 3})", .double(2.5)),
    ("mode(list)", .array([.integer(4)])),
    ("mode({1, 2})", .array([.integer(1), .integer(2)])), ("stddev({2, 4, 4, 4, 5, 5, 7, 9})", .double(2)),
    ("stddev(empty)", .null), ("max({'a', 'b'})", .string("b")), ("sum(gone)", .null),
    ("min({nil, 3})", .integer(3)),
    ("now()", .date(100)), ("CAST(n, 'NSDate')", .date(7)), ("CAST(when, 'NSNumber')", .double(3)),
    ("CAST('12', 'NSNumber') + 1", .integer(13)), ("CAST('1.5', 'NSNumber')", .double(1.5)),
    ("CAST(n, 'NSString')", .string("7")), ("CAST(half, 'NSString')", .string("2.5")),
    ("CAST(5.0, 'NSString')", .string("5")),
    ("CAST(TRUE, 'NSString')", .string("1")), ("CAST(price, 'NSString')", .string("1.25")),
    ("CAST(half, 'NSDecimalNumber')", .decimal(Decimal(string: "2.5") ?? 0)), ("CAST(gone, 'NSDate')", .null),
    ("CAST(id, 'NSString')", .string("8C2B7A04-0D5C-4A8E-9B36-7E0D3E6B5A11")),
    ("CAST(name, 'Class')", .className("Ñandú")),
    ("CAST({1, 1.0, 2}, 'NSSet').@count", .integer(2)), ("CAST({n, n, 2}, 'NSSet').@count", .integer(2)),
    ("name.length", .integer(5)), ("'💡'.length", .integer(2)),
    ("url.absoluteString", .string("https://example.org/a")),
    ("n.stringValue", .string("7")), ("'12 kg'.integerValue", .integer(12)),
    ("' -1.5e1x'.doubleValue", .double(-15)),
    ("'99999999999999999999'.integerValue", .integer(.max)), ("half.intValue", .integer(2)),
    ("data.length", .integer(3)),
    ("when.timeIntervalSince1970", .double(978307203)), ("name.uppercaseString", .string("ÑANDÚ")),
    ("gone.length", .null), ("id.UUIDString", .string("8C2B7A04-0D5C-4A8E-9B36-7E0D3E6B5A11")),
  ])
  func everyFunctionWithItsNil(text: String, value: Value?) throws {
    guard let value else {
      #expect(try scene.holds(text))
      return
    }
    var scene = scene
    scene.context.now = 100
    #expect(try scene.value(text) == value)
  }

  @Test(arguments: [
    ("name + 1", "“name + 1”: expected a number, found a string"),
    ("when - when", "“when - when”: expected a number, found a date"),
    ("sqrt('a')", "“sqrt:(\"a\")”: expected a number, found a string"),
    ("uppercase(n)", "“uppercase:(n)”: expected a string, found a number"),
    (
      "bitwiseAnd:with:(1.5, 1)",
      "“bitwiseAnd:with:(1.5, 1)”: expected a whole number of 64 bits, found a number"
    ),
    (
      "onesComplement(10 ** 30)",
      "“onesComplement:(10 ** 30)”: expected a whole number of 64 bits, found a number"
    ),
    ("sum(n)", "“sum:(n)”: expected a collection of numbers, found a number"),
    ("sum({'a'})", "“sum:({\"a\"})”: expected a number, found a string"),
    ("max({1, 'a'})", "“max:({1, \"a\"})”: expected a string to compare with a string, found a number"),
    ("n.@count", "“n.@count”: expected a collection to count, found a number"),
    ("random(0)", "“random:(0)”: expected a whole number above 0, found a number"),
    (
      "distanceToLocation:fromLocation:(n, n)",
      "“distanceToLocation:fromLocation:(n, n)”: “distanceToLocation:fromLocation:”, the distance of two places on earth, can't be evaluated"
    ),
    ("rot13(name)", "“rot13(name)”: there is no function “rot13”"),
    (
      "CAST(name, 'NSNumber')",
      "“CAST(name, \"NSNumber\")”: expected something that can be cast to NSNumber, found the string “Ñandú”; parseNumber(…) "
        + "reads numbers as people write them, and is nil for other texts"
    ),
    (
      "CAST(n, 'NSColor')",
      "“CAST(n, \"NSColor\")”: a cast to “NSColor” (known: NSDate, NSNumber, NSDecimalNumber, NSString, Class, NSArray, NSSet, NSDictionary, NSUUID, NSURL, NSData) can't be evaluated"
    ),
    ("FUNCTION(name, 'shout:', 1)", "“FUNCTION(name, \"shout:\", 1)”: a string doesn't answer “shout:”"),
    (
      "FUNCTION(CAST('App.Own', 'Class'), 'f')",
      "“FUNCTION(CAST(\"App.Own\", \"Class\"), \"f\")”: the class “App.Own” doesn't answer “f”"
    ),
    ("FETCH(n, n, NO)", "“FETCH(n, n, NO)”: FETCH can't be evaluated"),
  ])
  func everyErrorNamesThePartAndWhatIsWrong(text: String, complaint: String) {
    #expect(scene.complaint(text) == complaint)
  }

  @Test func chanceIsTheSameForTheSameSeed() throws {
    var scene = scene
    scene.context.seed = 42
    let first = try scene.value("{random(), random(), random(6)}")
    #expect(try scene.value("{random(), random(), random(6)}") == first)
    #expect(first.members?[0] != first.members?[1])
    scene.context.seed = 43
    #expect(try scene.value("{random(), random(), random(6)}") != first)
    #expect(try scene.holds("random(6) < 6 AND random(6) >= 0 AND random() >= 0"))
  }

  @Test func extremeDecimalsStopNothing() throws {
    let extremes =
      ["9e127", "-9e120", "1e-120", "0", "1", "99999999999999999999999999999999999999e40", "-7e-41"]
      .compactMap { Decimal(string: $0) } + [Decimal.nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
    for left in extremes {
      for right in extremes {
        let scene = Scene(["a": .decimal(left), "b": .decimal(right)])
        for text in [
          "a + b", "a - b", "a * b", "a / b", "a ** b", "modulus:by:(a, b)", "floor(a)", "abs(b)",
          "sum({a, b, 1})", "average({a, b})", "a.stringValue", "CAST(a, 'NSNumber')",
          "TERNARY(a < b, 1, a == b)",
        ] where !text.hasPrefix("TERNARY") {
          _ = try scene.value(text)
        }
        _ = try scene.holds("a < b OR a == b OR a IN {b, 1, 2.5} OR a > 9223372036854775807")
      }
    }
  }
}
