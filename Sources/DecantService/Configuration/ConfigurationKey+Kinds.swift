internal import DecantModel
internal import Foundation

/// Makes the settings, one function for each kind of value.
extension ConfigurationKey {
  typealias Place<Value> = any WritableKeyPath<ServiceConfiguration, Value> & Sendable

  private init<Value>(
    _ name: String, _ place: Place<Value>, _ meaning: String, _ expectation: String,
    text: @escaping @Sendable (Value) -> String,
    read: @escaping @Sendable (JSON5Value, _ base: String) -> Value?
  ) {
    self.init(
      name: name, meaning: meaning, expectation: expectation,
      set: { value, configuration, base in
        guard let value = read(value, base) else { return false }
        configuration[keyPath: place] = value
        return true
      },
      text: { text($0[keyPath: place]) })
  }

  private init<Value>(
    _ name: String, optional place: Place<Value?>, _ meaning: String, _ expectation: String,
    text: @escaping @Sendable (Value) -> String,
    read: @escaping @Sendable (JSON5Value, _ base: String) -> Value?
  ) {
    self.init(
      name, place, meaning, expectation + ", or null", text: { $0.map(text) ?? "null" },
      read: { $0 == .null ? .some(nil) : read($0, $1).map { .some($0) } })
  }

  static func path(_ name: String, _ place: Place<String>, _ meaning: String) -> Self {
    Self(name, place, meaning, "a path in quotes", text: quoted, read: absolutePath)
  }

  static func optionalPath(_ name: String, _ place: Place<String?>, _ meaning: String) -> Self {
    Self(name, optional: place, meaning, "a path in quotes", text: quoted, read: absolutePath)
  }

  static func count(_ name: String, _ place: Place<Int>, _ range: ClosedRange<Int>, _ meaning: String) -> Self {
    Self(
      name, place, meaning, words(of: range), text: { String($0) },
      read: { value, _ in value.integer.flatMap { range.contains($0) ? $0 : nil } })
  }

  static func optionalCount(
    _ name: String, _ place: Place<Int?>, _ range: ClosedRange<Int>, _ meaning: String
  ) -> Self {
    Self(
      name, optional: place, meaning, words(of: range), text: { String($0) },
      read: { value, _ in value.integer.flatMap { range.contains($0) ? $0 : nil } })
  }

  /// Seconds, fractions allowed.
  static func seconds(
    _ name: String, _ place: Place<Double>, _ range: ClosedRange<Double>, _ meaning: String
  ) -> Self {
    number(name, place, range, meaning, of: " of seconds")
  }

  static func number(
    _ name: String, _ place: Place<Double>, _ range: ClosedRange<Double>, _ meaning: String,
    of unit: String = ""
  ) -> Self {
    Self(
      name, place, meaning, "a number\(unit) from \(printed(range.lowerBound)) to \(printed(range.upperBound))",
      text: printed
    ) { value, _ in
      let number: Double? =
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
      return number.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  static func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ place: Place<Word>, _ meaning: String
  ) -> Self {
    Self(
      name, place, meaning, Word.allCases.map { "“\($0.rawValue)”" }.joined(separator: " or "),
      text: { quoted($0.rawValue) }, read: { value, _ in value.string.flatMap(Word.init(rawValue:)) })
  }

  static func account(_ name: String, _ place: Place<Account?>, _ kind: Account.Kind, _ meaning: String) -> Self
  {
    Self(
      name, optional: place, meaning, "the name or number of a \(kind) of this machine in quotes",
      text: { quoted($0.name) }, read: { value, _ in value.string.flatMap { Account(kind, $0) } })
  }

  static func mode(_ name: String, _ place: Place<UInt32?>, _ meaning: String) -> Self {
    Self(
      name, optional: place, meaning,
      "an octal mode in quotes without permissions to execute, from \"0400\" to \"0666\"",
      text: { quoted("0" + String($0, radix: 8)) }, read: { value, _ in value.string.flatMap(FileMode.bits) })
  }

  static func program(_ name: String, _ place: Place<[String]?>, _ meaning: String) -> Self {
    Self(
      name, optional: place, meaning, "a list of texts that begins with the absolute path of a program",
      text: { "[" + $0.map(quoted).joined(separator: ", ") + "]" }
    ) { value, _ in
      guard let words = value.strings, words.first?.hasPrefix("/") == true,
        words.allSatisfy({ !$0.contains("\0") })
      else { return nil }
      return words
    }
  }

  // MARK: Texts

  private static func words(of range: ClosedRange<Int>) -> String {
    "a whole number from \(range.lowerBound) \(range.upperBound == Int.max ? "up" : "to \(range.upperBound)")"
  }

  /// `.` and `..` stay in the path.
  @Sendable private static func absolutePath(_ value: JSON5Value, base: String) -> String? {
    guard let path = value.string, !path.isEmpty, !path.contains("\0") else { return nil }
    return path.hasPrefix("/") ? path : (base as NSString).appendingPathComponent(path)
  }

  @Sendable private static func printed(_ value: Double) -> String {
    value.rounded() == value && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }

  @Sendable private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\" + String(scalar)
      case "\n": quoted += "\\n"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
