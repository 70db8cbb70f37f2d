/// An expression of the predicate language, as a value (docs/formats/predicate-format.md 2).
///
/// The parser and the archive reader build it through `call(_:_:)`, `casting(_:type:)`, `sending(_:to:_:)` and
/// `path(from:_:)`, so that equal meanings are equal values. Parsing the printed text of an expression without objects
/// gives the same expression.
public indirect enum Expression: Hashable, Sendable {
  case constant(Value)
  /// `SELF`
  case selfObject
  /// `$name`, without the sign.
  case variable(String)
  case keyPath(KeyPath)
  /// A function by its full name, `multiply:by:`; arithmetic operators are functions, too.
  case function(String, [Expression])
  /// `FUNCTION(target, "selector:", …)`: a message to an object or class.
  case message(Expression, selector: String, [Expression])
  /// `CAST(value, "type")`
  case cast(Expression, type: String)
  /// `TERNARY(predicate, then, otherwise)`
  case ternary(Predicate, Expression, Expression)
  /// `SUBQUERY(collection, $variable, predicate)`
  case subquery(Expression, variable: String, Predicate)
  /// `FETCH(request, context, countOnly)`
  case fetch(Expression, context: Expression, countOnly: Bool)
  /// `{a, b}`
  case aggregate([Expression])
  case set(SetOperator, Expression, Expression)
  /// `$name := value`, which parses and is never evaluated.
  case assignment(String, Expression)
  /// `ANYKEY`
  case anyKey
}

/// `Expression` under a name that Foundation doesn't have.
public typealias FormatExpression = Expression

/// `Predicate` under a name that Foundation doesn't have.
public typealias FormatPredicate = Predicate
