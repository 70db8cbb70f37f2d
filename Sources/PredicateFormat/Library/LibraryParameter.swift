/// A parameter of a library function.
package struct LibraryParameter: Sendable {
  package enum Sort: Sendable, Hashable {
    case text
    case number
    case date
    /// An integer within bounds.
    case whole(ClosedRange<Int64>)
    /// A text, or a collection of texts.
    case texts
    /// A text or data.
    case bytes
    /// A single value: no collection, object or class.
    case plain
    case anything
    /// A regular expression (ICU).
    case pattern
    /// A Unicode date pattern, `yyyy-MM-dd`, or a style, `long short`.
    case datePattern
    /// A date pattern with only the letters in `DatePattern.letters`.
    case readingPattern
    case locale
    case timeZone
  }

  package let name: String
  package let sort: Sort
  package let isOptional: Bool
  package let takesNil: Bool

  init(_ name: String, _ sort: Sort, isOptional: Bool = false, takesNil: Bool = false) {
    self.name = name
    self.sort = sort
    self.isOptional = isOptional
    self.takesNil = takesNil
  }

  var words: String { isOptional ? "[\(name)]" : name }

  /// Names a value that the parameter doesn't accept; `nil` if it accepts the value.
  ///
  /// - Parameter value: A value that isn't nil.
  package func problem(with value: Value) -> String? {
    switch (sort, value) {
    case (.anything, _), (.text, .string), (.texts, .string), (.bytes, .string), (.bytes, .data),
      (.date, .date):
      return nil
    case (.texts, _):
      guard let members = value.members else { return value.kind }
      return members.first { member in
        if case .string = member { false } else { !LibraryCall.isNil(member) }
      }.map { "\(value.kind) with \($0.kind)" }
    case (.number, .boolean), (.number, .integer), (.number, .double), (.number, .decimal): return nil
    case (.plain, .array), (.plain, .set), (.plain, .dictionary), (.plain, .object), (.plain, .className):
      return value.kind
    case (.plain, _): return nil
    case (.whole(let bounds), _):
      guard let number = Number(value) else { return value.kind }
      guard let whole = number.whole, bounds.contains(whole) else { return "the number \(number.text)" }
      return nil
    case (.pattern, .string(let text)): return Patterns.problem(with: text)
    case (.datePattern, .string(let text)): return DateTexts.problem(with: text)
    case (.readingPattern, .string(let text)):
      if let problem = DateTexts.problem(with: text) { return problem }
      return DatePattern(text) == nil ? "“\(LibraryCall.shortened(text))”" : nil
    case (.locale, .string(let text)):
      return Locales.locale(text) == nil
        ? "“\(LibraryCall.shortened(text))”, which isn't the name of a locale" : nil
    case (.timeZone, .string(let text)):
      return Locales.timeZone(text) == nil
        ? "“\(LibraryCall.shortened(text))”, which isn't the name of a time zone" : nil
    default: return value.kind
    }
  }
}

extension LibraryParameter.Sort {
  package var words: String {
    switch self {
    case .text: "a string"
    case .number: "a number"
    case .date: "a date"
    case .whole(let bounds) where bounds == Int64.min...Int64.max: "a whole number"
    case .whole(let bounds):
      "a whole number from \(bounds.lowerBound)" + (bounds.upperBound == .max ? "" : " to \(bounds.upperBound)")
    case .texts: "a string or a collection of strings"
    case .bytes: "a string or data"
    case .plain: "one plain value"
    case .anything: "any value"
    case .pattern: "a regular expression"
    case .datePattern: "a pattern for dates such as “yyyy-MM-dd”, or a style such as “long”,"
    case .readingPattern: "a date pattern with only the letters \(DatePattern.letters),"
    case .locale: "the name of a locale, such as “es_MX”,"
    case .timeZone: "the name of a time zone, such as “America/Mexico_City”,"
    }
  }
}
