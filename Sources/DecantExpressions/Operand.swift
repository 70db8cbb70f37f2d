internal import PredicateFormat

/// A part of an expression during compilation to SQL.
indirect enum Operand {
  case value(SQLValue)
  case constant(Value)
  /// An object, or nil.
  case row(Route)
  case rows(Route)
  /// A value for each row of a route.
  case members(Route, SQLValue)
  /// A part for the evaluator.
  case residue(Residue)
}

/// An expression over values from SQL, which the evaluator computes within the statement.
struct Residue {
  struct Leaf {
    let name: String
    let value: SQLValue
  }

  var expression: FormatExpression
  var leaves: [Leaf]
  /// Whether the values include objects, whose keys the evaluator can't read within the statement.
  var holdsObjects: Bool

  /// Whether the result is a collection, as far as the expression shows.
  var isCollection: Bool {
    switch expression {
    case .aggregate, .set: return true
    case .constant(let value): return value.members != nil
    case .keyPath(let path):
      switch path.steps.last {
      case .collection(.unionOfObjects), .collection(.distinctUnionOfObjects), .collection(.unionOfArrays),
        .collection(.distinctUnionOfArrays), .collection(.distinctUnionOfSets):
        return true
      default: return false
      }
    default: return false
    }
  }
}
