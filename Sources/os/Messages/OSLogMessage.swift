/// A message for a log, written as a text with interpolated values.
public struct OSLogMessage: ExpressibleByStringInterpolation {
  private let interpolation: OSLogInterpolation

  public init(stringInterpolation: OSLogInterpolation) { interpolation = stringInterpolation }

  public init(stringLiteral value: String) {
    interpolation = OSLogInterpolation(value)
  }

  func text(showsPrivate: Bool) -> String { interpolation.text(showsPrivate: showsPrivate) }
}
