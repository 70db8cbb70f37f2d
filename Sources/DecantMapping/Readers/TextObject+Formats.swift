internal import DecantModel
internal import PredicateFormat

extension TextObject {
  func expression(_ key: String, _ what: String) throws(MappingModelError) -> FormatExpression? {
    guard let text = try text(key, "an expression in quotes, such as \"$source.name\"") else { return nil }
    return try expression(parsing: text, at: [.key(key)], what)
  }

  func predicate(_ key: String, _ what: String) throws(MappingModelError) -> FormatPredicate? {
    guard let text = try text(key, "a predicate in quotes, such as \"name != nil\"") else { return nil }
    return try predicate(parsing: text, at: [.key(key)], what)
  }

  func expression(
    parsing text: String, at steps: [JSON5Step], _ what: String
  ) throws(MappingModelError) -> FormatExpression {
    do throws(FormatError) {
      return try FormatExpression(parsing: text)
    } catch {
      throw fault(error, in: text, at: steps, what)
    }
  }

  func predicate(
    parsing text: String, at steps: [JSON5Step], _ what: String
  ) throws(MappingModelError) -> FormatPredicate {
    do throws(FormatError) {
      return try FormatPredicate(parsing: text)
    } catch {
      throw fault(error, in: text, at: steps, what)
    }
  }

  /// The error of a text, with its line and column in the file.
  ///
  /// The column is exact if the text has no escapes before the place. Each escape makes the column too small.
  private func fault(
    _ error: FormatError, in text: String, at steps: [JSON5Step], _ what: String
  ) -> MappingModelError {
    let reason = "\(what): \(error.reason)"
    guard let start = JSON5Value.place(of: place + steps, in: data) else {
      return .malformed(path: path, reason: "\(what): \(error.sentence)", excerpt: error.excerpt)
    }
    // A text in quotes is one line, unless it continues after a backslash.
    let before = error.line == 1 ? error.column : 1
    return .malformed(
      path: path, reason: "line \(start.line), column \(start.column + before): \(reason)", line: start.line,
      excerpt: error.excerpt)
  }
}
