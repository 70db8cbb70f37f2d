internal import Foundation

/// Makes a message from a format of C and its arguments.
struct FormatText {
  private var arguments: ArraySlice<Any?>
  private let errorNumber: Int32
  private let showsPrivate: Bool

  /// - Parameters:
  ///   - errorNumber: The `errno` for `%m`.
  ///   - showsPrivate: Whether private values are shown.
  static func of(_ format: String, _ arguments: [Any?], errorNumber: Int32, showsPrivate: Bool) -> String {
    var text = FormatText(arguments: arguments[...], errorNumber: errorNumber, showsPrivate: showsPrivate)
    return text.filled(format)
  }

  private mutating func filled(_ format: String) -> String {
    var result = ""
    var rest = Substring(format)
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[rest.index(after: percent)...]
      if rest.first == "%" {
        rest.removeFirst()
        result += "%"
      } else if let directive = FormatDirective(&rest) {
        result += shown(directive)
      } else {
        result += "%"
      }
    }
    return result + rest
  }

  private mutating func shown(_ directive: FormatDirective) -> String {
    let width = count(directive.width) ?? 0
    let precision = count(directive.precision)
    let layout = FormatLayout(flags: directive.flags, width: width, precision: precision)
    if directive.conversion == "m" { return layout.text(String(cString: strerror(errorNumber))) }
    guard let argument = arguments.popFirst() else { return "<no argument>" }
    let value = FormatValue(argument, directive)
    return privacy(directive).shown(
      { value.text(layout) }, isPublicByDefault: value.isPublic, showsPrivate: showsPrivate)
  }

  private mutating func count(_ count: FormatDirective.Count?) -> Int? {
    switch count {
    case .number(let number): number
    case .argument: FormatValue.number(arguments.popFirst() ?? nil).map { min(Int($0), LogLine.limit) }
    case nil: nil
    }
  }

  private func privacy(_ directive: FormatDirective) -> OSLogPrivacy {
    let mask: OSLogPrivacy.Mask = directive.options.contains("mask.hash") ? .hash : .none
    if directive.options.contains("sensitive") { return .sensitive(mask: mask) }
    if directive.options.contains("private") { return .private(mask: mask) }
    return directive.options.contains("public") ? .public : .auto(mask: mask)
  }
}
