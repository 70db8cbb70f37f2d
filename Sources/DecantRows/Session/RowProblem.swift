/// A value from an expression, a policy or a program that can't be used for a row.
struct RowProblem: Error, CustomStringConvertible {
  let reason: String

  var description: String { reason }
}
