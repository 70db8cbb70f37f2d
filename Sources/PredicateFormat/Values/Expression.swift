/// An expression of the predicate language, as a value (docs/formats/predicate-format.md 2).
///
/// The parser and the archive reader build it through `Expression.call`, `cast`, `message` and `path(from:_:)`, so
/// that what means the same is the same; parsing what such an expression prints gives the same expression.
public indirect enum Expression: Hashable, Sendable {
  case constant(Value)
  /// `SELF`
  case selfObject
  /// `$name`, without the sign.
  case variable(String)
  case keyPath(KeyPath)
  /// A function of the language by its full name, `multiply:by:`; arithmetic signs are functions too.
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

/// `Expression` by a name that Foundation doesn't use too.
public typealias FormatExpression = Expression

/// `Predicate` by a name that Foundation doesn't use too.
public typealias FormatPredicate = Predicate
