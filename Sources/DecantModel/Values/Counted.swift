/// A number in groups of three digits: `1,234,567`.
package func grouped(_ number: some BinaryInteger) -> String {
  var digits = Array(String(number.magnitude))
  var index = digits.count - 3
  while index > 0 {
    digits.insert(",", at: index)
    index -= 3
  }
  return (number < 0 ? "-" : "") + String(digits)
}

/// A number with what it counts: `1 row`, `2,000 rows`.
///
/// - Parameter plural: The plural, if it isn't the singular with an “s”.
package func counted(_ number: some BinaryInteger, _ singular: String, _ plural: String? = nil) -> String {
  "\(grouped(number)) \(number == 1 ? singular : plural ?? singular + "s")"
}

/// Names in quotation marks, separated by commas.
package func listed(_ names: [String]) -> String { names.map { "“\($0)”" }.joined(separator: ", ") }
