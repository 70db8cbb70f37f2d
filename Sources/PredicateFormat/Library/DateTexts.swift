internal import Foundation

/// `formatDate`, `parseDate`: dates by a Unicode pattern (TR 35), in the Gregorian calendar; dates before 1582-10-15
/// are in the Julian calendar.
///
/// `formatDate` also takes a style in place of a pattern.
///
/// By default the locale is POSIX and the time zone is GMT, independent of the machine's settings.
enum DateTexts {
  /// From 0001-01-01 (Julian) to before 10000-01-01 (Gregorian), in seconds since 2001-01-01 00:00:00 UTC.
  private static let bounds = -63_114_076_800.0..<252_423_993_600.0

  static let functions: [LibraryFunction] = [
    LibraryFunction(
      "formatDate", [.init("date", .date), .init("pattern", .datePattern)] + parameters, gives: .text, format),
    LibraryFunction(
      "parseDate", [.init("text", .text), .init("pattern", .readingPattern)] + parameters, gives: .date,
      nilFor: .otherForm, parse),
  ]

  private static let parameters = [
    LibraryParameter("locale", .locale, isOptional: true),
    LibraryParameter("timeZone", .timeZone, isOptional: true),
  ]

  static func problem(with pattern: String) -> String? {
    if pattern.isEmpty { return "an empty string" }
    if DateStyles(pattern)?.isEmpty == true { return "“\(pattern)”, which writes nothing" }
    if pattern.utf8.count > 200 { return "a string of more than 200 bytes" }
    let words = pattern.split(separator: " ").joined(separator: " ")
    if words != pattern, DateStyles(words) != nil { return "“\(words)” with too many spaces" }
    guard DateStyles(pattern) == nil, let letter = unknownLetter(in: pattern) else { return nil }
    return "“\(LibraryCall.shortened(pattern))”, whose letter “\(letter)” stands for no field"
  }

  private static func unknownLetter(in pattern: String) -> Character? {
    var isQuoted = false
    return pattern.first { character in
      if character == "'" { isQuoted.toggle() }
      return !isQuoted && character.isASCII && character.isLetter && !fields.contains(character)
    }
  }

  private static let fields = "GyYuUrQqMLlwWdDFgEecabBhHkKjJCmsSAzZOvVXx"

  private static func format(_ call: LibraryCall) throws(EvaluationError) -> Value {
    guard case .date(let seconds) = call.value(0), bounds.contains(seconds) else { return .null }
    return FormatterPool.shared.use(key(call)) { formatter in
      .string(formatter.string(from: Date(timeIntervalSinceReferenceDate: seconds)))
    }
  }

  private static func parse(_ call: LibraryCall) throws(EvaluationError) -> Value {
    let key = key(call)
    guard call.text(0).utf8.count <= 500, let pattern = DatePattern(key.pattern),
      let zone = Locales.timeZone(key.timeZone),
      let seconds = DateReader.seconds(call.text(0), pattern, locale: key.locale, zone: zone)
    else { return .null }
    return bounds.contains(seconds) ? .date(seconds) : .null
  }

  private static func key(_ call: LibraryCall) -> FormatterPool.Key {
    FormatterPool.Key(
      pattern: call.text(1), locale: call.has(2) ? call.text(2) : Locales.posix.identifier,
      timeZone: call.has(3) ? call.text(3) : "GMT")
  }
}
