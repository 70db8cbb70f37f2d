/// How a message shows a whole number.
public struct OSLogIntegerFormatting {
  private let radix: Int
  private let hasPlus: Bool
  private let prefix: String
  private let isUppercase: Bool
  private let minDigits: () -> Int

  public static var decimal: Self { decimal() }
  /// In hexadecimal digits; a negative number as its bits.
  public static var hex: Self { hex() }
  /// In octal digits; a negative number as its bits.
  public static var octal: Self { octal() }

  public static func decimal(
    explicitPositiveSign: Bool = false, minDigits: @autoclosure @escaping () -> Int = 1
  ) -> Self {
    Self(
      radix: 10, hasPlus: explicitPositiveSign, prefix: "", isUppercase: false, minDigits: minDigits)
  }

  public static func hex(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
    minDigits: @autoclosure @escaping () -> Int = 1
  ) -> Self {
    Self(
      radix: 16, hasPlus: explicitPositiveSign, prefix: includePrefix ? "0x" : "", isUppercase: uppercase,
      minDigits: minDigits)
  }

  public static func octal(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
    minDigits: @autoclosure @escaping () -> Int = 1
  ) -> Self {
    Self(
      radix: 8, hasPlus: explicitPositiveSign, prefix: includePrefix ? "0" : "", isUppercase: uppercase,
      minDigits: minDigits)
  }

  func text(of number: some FixedWidthInteger) -> String {
    let isNegative = number < 0 && radix == 10
    var digits =
      number < 0 && radix != 10
      ? Self.bits(number, radix: radix, uppercase: isUppercase)
      : String(number.magnitude, radix: radix, uppercase: isUppercase)
    let missing = min(minDigits(), LogLine.limit) - digits.count
    if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
    return (isNegative ? "-" : hasPlus ? "+" : "") + prefix + digits
  }

  /// The digits of the two's complement.
  private static func bits<Number: FixedWidthInteger>(
    _ number: Number, radix: Int, uppercase: Bool
  ) -> String {
    String(Number.Magnitude(truncatingIfNeeded: number), radix: radix, uppercase: uppercase)
  }
}
