/// What an expression of a mapping model can't do for a row.
struct RowProblem: Error, CustomStringConvertible {
  let property: String?
  let reason: String

  var description: String { (property.map { "“\($0)”: " } ?? "") + reason }
}
