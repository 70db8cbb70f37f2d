/// A directive of a C format, which stands for an argument, such as `%{public}-10.3f`.
struct FormatDirective: Equatable {
  enum Count: Equatable {
    case number(Int)
    case argument
  }

  var options: [Substring] = []
  var flags = ""
  var width: Count?
  var precision: Count?
  var conversion: Character

  /// Reads a directive.
  ///
  /// - Parameter rest: The format after the percent sign; on return, what follows the directive.
  /// - Returns: Nil if there is no directive. Then `rest` is unchanged.
  init?(_ rest: inout Substring) {
    var text = rest
    if text.first == "{" {
      guard let end = text.firstIndex(of: "}") else { return nil }
      options = text[text.index(after: text.startIndex)..<end].split(separator: ",").map {
        $0.drop { $0 == " " }
      }
      text = text[text.index(after: end)...]
    }
    while let flag = text.first, "-+ #0'".contains(flag) {
      if flag != "'" { flags.append(flag) }
      text.removeFirst()
    }
    width = Self.count(&text)
    if text.first == "." {
      text.removeFirst()
      precision = Self.count(&text) ?? .number(0)
    }
    while let letter = text.first, "hlqjztL".contains(letter) { text.removeFirst() }
    guard let last = text.popFirst(), "diuoxXDUOfFeEgGaAcCsS@pPm".contains(last) else { return nil }
    conversion = last
    rest = text
  }

  private static func count(_ text: inout Substring) -> Count? {
    if text.first == "*" {
      text.removeFirst()
      return .argument
    }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    text = text[digits.endIndex...]
    return digits.isEmpty ? nil : .number(min(Int(digits) ?? LogLine.limit, LogLine.limit))
  }
}
