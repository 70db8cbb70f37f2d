internal import PredicateFormat

/// What a part of an expression has become on its way to SQL.
indirect enum Operand {
  /// One value.
  case value(SQLValue)
  case constant(Value)
  /// An object, or nil.
  case row(Route)
  /// Objects.
  case rows(Route)
  /// A value for each row of a way.
  case members(Route, SQLValue)
  /// What is left to the evaluator.
  case residue(Residue)
}

/// An expression over values that SQL gives: the evaluator's own code works it out, within the statement.
struct Residue {
  /// A variable of the expression and the value it stands for.
  struct Leaf {
    let name: String
    let value: SQLValue
  }

  var expression: FormatExpression
  var leaves: [Leaf]
  /// Whether objects are among the values; their keys can't be asked for there.
  var holdsObjects: Bool

  /// Whether the result is a collection, as far as the expression alone says.
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
