/// Whether a log shows a value.
public struct OSLogPrivacy: Sendable {
  /// The text in place of a hidden value.
  public enum Mask: Sendable {
    case none
    /// A number that is equal for equal values during one run of the program.
    case hash
  }

  private enum Kind { case auto, open, hidden, sensitive }

  private let kind: Kind
  private let mask: Mask

  /// Numbers, truth values and types are shown; texts and objects are private.
  public static var auto: Self { Self(kind: .auto, mask: .none) }
  public static var `public`: Self { Self(kind: .open, mask: .none) }
  public static var `private`: Self { Self(kind: .hidden, mask: .none) }
  /// Isn't shown, even if private values are shown.
  public static var sensitive: Self { Self(kind: .sensitive, mask: .none) }

  public static func auto(mask: Mask) -> Self { Self(kind: .auto, mask: mask) }
  public static func `private`(mask: Mask) -> Self { Self(kind: .hidden, mask: mask) }
  public static func sensitive(mask: Mask) -> Self { Self(kind: .sensitive, mask: mask) }

  /// The value, or the text in its place.
  ///
  /// - Parameter isPublicByDefault: Whether `auto` shows the value.
  func shown(_ value: () -> String, isPublicByDefault: Bool, showsPrivate: Bool) -> String {
    let isShown =
      switch kind {
      case .auto: isPublicByDefault || showsPrivate
      case .open: true
      case .hidden: showsPrivate
      case .sensitive: false
      }
    if isShown { return value() }
    switch mask {
    case .none: return kind == .sensitive ? "<sensitive>" : "<private>"
    case .hash:
      let hash = String(UInt(bitPattern: value().hashValue), radix: 16)
      return "<mask.hash: '\(hash)'>"
    }
  }
}
