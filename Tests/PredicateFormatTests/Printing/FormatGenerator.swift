import Foundation
import PredicateFormat

/// Makes random predicates and expressions, which are the same for the same seed.
struct FormatGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func number(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }

  mutating func pick<T>(_ values: [T]) -> T { values[number(below: values.count)] }

  mutating func predicate(_ depth: Int) -> FormatPredicate {
    switch number(below: depth <= 0 ? 2 : 6) {
    case 0: return pick([.always, .never, comparison(depth)])
    case 3: return .not(predicate(depth - 1))
    case 4: return .and((0..<(2 + number(below: 3))).map { _ in predicate(depth - 1) })
    case 5: return .or((0..<(2 + number(below: 3))).map { _ in predicate(depth - 1) })
    default: return comparison(depth)
    }
  }

  private mutating func comparison(_ depth: Int) -> FormatPredicate {
    .comparison(
      Comparison(
        modifier: pick(Comparison.Modifier.allCases), left: expression(depth - 1),
        operation: pick(ComparisonOperator.allCases), right: expression(depth - 1),
        options: ComparisonOptions(rawValue: pick([0, 0, number(below: 16)]))))
  }

  mutating func expression(_ depth: Int) -> FormatExpression {
    switch number(below: depth <= 0 ? 4 : 16) {
    case 0: return .constant(value())
    case 1: return .key(key())
    case 2: return pick([.selfObject, .variable(key()), .anyKey])
    case 3: return .path(from: pick([.selfObject, .variable("source")]), steps(depth))
    case 4: return .path(from: expression(depth - 1), steps(depth - 1))
    case 5, 6:
      let name = pick([
        "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "raise:toPower:", "modulus:by:",
      ])
      return .call(name, [expression(depth - 1), expression(depth - 1)])
    case 7: return .call(pick(["sum:", "count:", "uppercase:", "noindex", "split:"]), [expression(depth - 1)])
    case 8: return .call(pick(["now", "random", "own"]), [])
    case 9:
      return .sending(pick(["a:b:", "valueForKey:", "c"]), to: expression(depth - 1), [expression(depth - 1)])
    case 10:
      return .casting(expression(depth - 1), type: pick(["NSDate", "NSNumber", "NSSet", "Class", "Odd\"Type"]))
    case 11: return .ternary(predicate(depth - 1), expression(depth - 1), expression(depth - 1))
    case 12: return .subquery(expression(depth - 1), variable: key(), predicate(depth - 1))
    case 13:
      return .fetch(expression(depth - 1), context: expression(depth - 1), countOnly: pick([true, false]))
    case 14: return .aggregate((0..<number(below: 4)).map { _ in expression(depth - 1) })
    default:
      if number(below: 4) == 0 { return .assignment(key(), expression(depth - 1)) }
      return .set(pick(SetOperator.allCases), expression(depth - 1), expression(depth - 1))
    }
  }

  private mutating func key() -> String {
    pick(["name", "a1", "_x", "size", "Self", "année", "function", "minus", "UTI", "in"])
  }

  private mutating func steps(_ depth: Int) -> [KeyPath.Step] {
    (0..<(1 + number(below: 3))).map { _ in
      switch number(below: 12) {
      case 0: .collection(pick(CollectionOperator.allCases))
      case 1: pick([.first, .last, .size])
      case 2: .index(depth > 0 ? expression(depth - 1) : .constant(.integer(2)))
      default: .key(key())
      }
    }
  }

  mutating func value() -> Value {
    let number = Int64(bitPattern: UInt64(self.number(below: 1 << 30)) << 33) >> Int64(self.number(below: 63))
    switch self.number(below: 12) {
    case 0: return .null
    case 1: return .boolean(pick([true, false]))
    case 2, 3: return pick([.integer(number), .integer(.min), .integer(.max), .integer(0), .integer(-1)])
    case 4:
      return pick([
        .double(Double(number) / 64), .double(-0.0), .double(1e300), .double(.leastNonzeroMagnitude),
        .double(.infinity),
      ])
    case 5: return pick([.decimal(Decimal(number) / 100), .decimal(Decimal(UInt64.max)), .decimal(-1)])
    case 6: return .date(Double(number) / 8)
    case 7: return .uuid(UUID(uuidString: "8C2B7A04-0D5C-4A8E-9B36-7E0D3E6B5A11") ?? UUID())
    case 8: return .data(Data("\(number)".utf8))
    case 9:
      return pick([.className("App.Cover"), .url("https://example.org/?a=\"b\""), .set([.integer(1), .null])])
    default:
      return .string(
        pick(["", "plain", "say \"hi\"", "it's", "back\\slash", "line\nbreak\u{1}", "é e\u{301} 💡", "%@"]))
    }
  }
}
