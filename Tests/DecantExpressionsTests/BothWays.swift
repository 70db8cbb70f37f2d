import Foundation
import PredicateFormat

@testable import DecantExpressions
@testable import DecantSQLite

/// Evaluates expressions over the same rows by SQL and by the evaluator, and counts the different results.
extension ExpressionStore {
  /// The result of an expression for a row, where all errors are equal to each other.
  enum Outcome: Equatable, CustomStringConvertible {
    case value(Value)
    case error(String)

    static func == (left: Outcome, right: Outcome) -> Bool {
      switch (left, right) {
      case (.value(let a), .value(let b)): a.asCompared == b.asCompared
      case (.error, .error): true
      default: false
      }
    }

    var description: String {
      switch self {
      case .value(let value): "\(value)"
      case .error(let text): "error: \(text)"
      }
    }
  }

  /// The number of compared rows, and the texts of the differences.
  struct Tally {
    var rows = 0
    var errors = 0
    /// Rows for which a predicate is false, or an expression nil.
    var negatives = 0
    var refused: [String: Int] = [:]
    var disagreements: [String] = []
  }

  func condition(_ text: String, of entity: String, _ tally: inout Tally) throws {
    let predicate = try FormatPredicate(parsing: text)
    do throws(NotSQL) {
      let sql = try SourceSQL(layout: layout, entity: entity, schema: "main").condition(predicate)
      compare(text, sql, entity, isCondition: true, &tally) { .boolean(try predicate.holds(in: $0)) }
    } catch {
      tally.refused[error.reason, default: 0] += 1
    }
  }

  func value(_ text: String, of entity: String, _ tally: inout Tally) throws {
    let expression = try FormatExpression(parsing: text)
    do throws(NotSQL) {
      let sql = try SourceSQL(layout: layout, entity: entity, schema: "main").typed(expression)
      let code = SQLText.string(LeafCode.code(of: sql.kind, in: layout))
      let tagged = "\(ExpressionFunctions.tagged)(\(code), \(sql.text))"
      compare(text, tagged, entity, isCondition: false, &tally) { try expression.value(in: $0) }
    } catch {
      tally.refused[error.reason, default: 0] += 1
    }
  }

  private func compare(
    _ text: String, _ sql: String, _ entity: String, isCondition: Bool, _ tally: inout Tally,
    _ evaluate: (EvaluationContext) throws -> Value
  ) {
    guard let table = layout.table(of: entity) else { return }
    let statement: SQLiteStatement
    do {
      statement = try database.prepare("SELECT \(sql) FROM main.\(table.name) AS s WHERE s.Z_PK = ?1")
    } catch {
      tally.disagreements.append("\(entity): \(text)\n  \(sql)\n  can't be prepared: \(error.message)")
      return
    }
    for member in layout.model.family(of: entity) {
      for key in keys[member.name] ?? [] {
        let bySQL = outcome { () throws -> Value in
          statement.reset()
          defer { statement.reset() }
          try statement.bind(.integer(key), at: 1)
          guard try statement.step() else { return .null }
          let value = try TaggedValue.value(statement.value(0))
          guard isCondition else { return value }
          // A condition is 1 or 0. Any other value, also NULL, is a difference.
          return value == .integer(1) ? .boolean(true) : value == .integer(0) ? .boolean(false) : value
        }
        let object = Value.object(ObjectReference(rows.object(entity: member.name, key: key)))
        let context = EvaluationContext(
          object: object, variables: ["source": object], now: Self.now, job: Self.job, functions: functions)
        let byEvaluator = outcome { try evaluate(context) }
        tally.rows += 1
        switch byEvaluator {
        case .error: tally.errors += 1
        case .value(.null), .value(.boolean(false)): tally.negatives += 1
        default: break
        }
        if bySQL != byEvaluator {
          tally.disagreements.append(
            "\(member.name)/p\(key): \(text)\n  \(sql)\n  SQL: \(bySQL)\n  evaluator: \(byEvaluator)")
          return
        }
      }
    }
  }

  private func outcome(_ work: () throws -> Value) -> Outcome {
    do { return .value(try work()) } catch { return .error("\(error)") }
  }
}

extension Value {
  /// The value, or nil for NaN, which SQLite stores as NULL.
  var asCompared: Value {
    switch self {
    case .double(let number) where number.isNaN: .null
    case .decimal(let number) where number.isNaN: .null
    default: self
    }
  }
}
