internal import Foundation

/// How a message shows a number with a fraction.
public struct OSLogFloatFormatting {
  private let conversion: String
  private let hasPlus: Bool
  private let precision: (() -> Int)?

  /// With six digits after the point.
  public static var fixed: Self { Self(conversion: "f", hasPlus: false, precision: nil) }
  public static var hex: Self { Self(conversion: "a", hasPlus: false, precision: nil) }
  public static var exponential: Self { Self(conversion: "e", hasPlus: false, precision: nil) }
  /// The shorter of the fixed and the exponential form.
  public static var hybrid: Self { Self(conversion: "g", hasPlus: false, precision: nil) }

  public static func fixed(explicitPositiveSign: Bool = false, uppercase: Bool = false) -> Self {
    Self(conversion: uppercase ? "F" : "f", hasPlus: explicitPositiveSign, precision: nil)
  }

  public static func fixed(
    precision: @autoclosure @escaping () -> Int, explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> Self {
    Self(conversion: uppercase ? "F" : "f", hasPlus: explicitPositiveSign, precision: precision)
  }

  public static func hex(explicitPositiveSign: Bool = false, uppercase: Bool = false) -> Self {
    Self(conversion: uppercase ? "A" : "a", hasPlus: explicitPositiveSign, precision: nil)
  }

  public static func exponential(explicitPositiveSign: Bool = false, uppercase: Bool = false) -> Self {
    Self(conversion: uppercase ? "E" : "e", hasPlus: explicitPositiveSign, precision: nil)
  }

  public static func exponential(
    precision: @autoclosure @escaping () -> Int, explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> Self {
    Self(conversion: uppercase ? "E" : "e", hasPlus: explicitPositiveSign, precision: precision)
  }

  public static func hybrid(explicitPositiveSign: Bool = false, uppercase: Bool = false) -> Self {
    Self(conversion: uppercase ? "G" : "g", hasPlus: explicitPositiveSign, precision: nil)
  }

  public static func hybrid(
    precision: @autoclosure @escaping () -> Int, explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> Self {
    Self(conversion: uppercase ? "G" : "g", hasPlus: explicitPositiveSign, precision: precision)
  }

  func text(of number: Double) -> String {
    let digits = precision.map { ".\(max(0, min($0(), 1000)))" } ?? ""
    return String(format: "%\(hasPlus ? "+" : "")\(digits)\(conversion)", number)
  }
}
