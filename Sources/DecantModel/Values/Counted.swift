/// A number with what it counts: `1 row`, `2 rows`.
///
/// - Parameter plural: The plural, if it isn't the singular with an “s”.
package func counted(_ number: some BinaryInteger, _ singular: String, _ plural: String? = nil) -> String {
  "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
}

/// Names in quotation marks, separated by commas.
package func listed(_ names: [String]) -> String { names.map { "“\($0)”" }.joined(separator: ", ") }
