/// What can't be done with what an expression, a policy or a program gave for a row.
struct RowProblem: Error, CustomStringConvertible {
  let reason: String

  var description: String { reason }
}
