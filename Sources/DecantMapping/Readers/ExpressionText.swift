internal import PredicateFormat

/// Parses the texts of a mapping model, with errors that state their place.
enum ExpressionText {
  static func expression(
    _ text: String, path: String, place: String
  ) throws(MappingModelError) -> FormatExpression {
    do throws(FormatError) {
      return try FormatExpression(parsing: text)
    } catch {
      throw .malformed(path: path, reason: "\(place): \(error.sentence)", excerpt: error.excerpt)
    }
  }

  static func predicate(_ text: String, path: String, place: String) throws(MappingModelError)
    -> FormatPredicate
  {
    do throws(FormatError) {
      return try FormatPredicate(parsing: text)
    } catch {
      throw .malformed(path: path, reason: "\(place): \(error.sentence)", excerpt: error.excerpt)
    }
  }

  static func filter(_ text: String, path: String, place: String) throws(MappingModelError) -> FormatPredicate?
  {
    let filter = try predicate(text, path: path, place: place)
    return filter == .always ? nil : filter
  }
}

extension EntityMappingDraft {
  /// The standard fetch of the source entity gives the filter (docs/formats/mapping-models.md 3.1).
  mutating func takeSource(_ expression: FormatExpression) throws(FormatError) {
    guard let fetch = SourceFetch(expression), fetch.entity == sourceEntityName else {
      sourceExpression = expression
      return
    }
    let predicate = try FormatPredicate(parsing: fetch.predicate)
    filter = predicate == .always ? nil : predicate
  }
}
