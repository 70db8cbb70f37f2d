/// The words for a truth value.
public struct OSLogBoolFormat: Sendable {
  private let words: [String]

  /// `true` and `false`.
  public static var truth: Self { Self(words: ["false", "true"]) }
  /// `YES` and `NO`.
  public static var answer: Self { Self(words: ["NO", "YES"]) }

  func text(of value: Bool) -> String { words[value ? 1 : 0] }
}
