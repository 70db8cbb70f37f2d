/// The columns that a value takes in a message.
public struct OSLogStringAlignment {
  private let columns: () -> Int
  private let isAtEnd: Bool

  /// As many as the value needs.
  public static var none: Self { Self(columns: { 0 }, isAtEnd: false) }

  /// At least `columns` columns, with spaces before the value.
  public static func right(columns: @autoclosure @escaping () -> Int) -> Self {
    Self(columns: columns, isAtEnd: true)
  }

  /// At least `columns` columns, with spaces after the value.
  public static func left(columns: @autoclosure @escaping () -> Int) -> Self {
    Self(columns: columns, isAtEnd: false)
  }

  func aligned(_ text: String) -> String {
    let missing = min(columns(), LogLine.limit) - text.count
    guard missing > 0 else { return text }
    let spaces = String(repeating: " ", count: missing)
    return isAtEnd ? spaces + text : text + spaces
  }
}
