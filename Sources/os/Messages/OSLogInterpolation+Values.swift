public import Foundation

// Numbers, truth values and types are public unless they say otherwise. `attributes` is for Apple's tools and has no
// effect.
extension OSLogInterpolation {
  public mutating func appendInterpolation<Number: FixedWidthInteger>(
    _ number: @autoclosure @escaping () -> Number, format: OSLogIntegerFormatting = .decimal,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
  ) {
    append({ format.text(of: number()) }, align, privacy, isPublic: true)
  }

  public mutating func appendInterpolation(
    _ number: @autoclosure @escaping () -> Int32, format: OSLogInt32ExtendedFormat,
    privacy: OSLogPrivacy = .auto, attributes: String = ""
  ) {
    append({ format.text(of: number()) }, .none, privacy, isPublic: true)
  }

  public mutating func appendInterpolation<Number: BinaryFloatingPoint>(
    _ number: @autoclosure @escaping () -> Number, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
  ) {
    append({ format.text(of: Double(number())) }, align, privacy, isPublic: true)
  }

  public mutating func appendInterpolation(
    _ boolean: @autoclosure @escaping () -> Bool, format: OSLogBoolFormat = .truth,
    privacy: OSLogPrivacy = .auto, attributes: String = ""
  ) {
    append({ format.text(of: boolean()) }, .none, privacy, isPublic: true)
  }

  public mutating func appendInterpolation(
    _ type: @autoclosure @escaping () -> any Any.Type, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto, attributes: String = ""
  ) {
    append({ "\(type())" }, align, privacy, isPublic: true)
  }
}

// Texts and objects are private unless they say otherwise.
extension OSLogInterpolation {
  public mutating func appendInterpolation(
    _ text: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto, attributes: String = ""
  ) {
    append(text, align, privacy, isPublic: false)
  }

  public mutating func appendInterpolation(
    _ object: @autoclosure @escaping () -> NSObject, privacy: OSLogPrivacy = .auto, attributes: String = ""
  ) {
    append({ object().description }, .none, privacy, isPublic: false)
  }

  public mutating func appendInterpolation(
    _ object: @autoclosure @escaping () -> NSObject?, privacy: OSLogPrivacy = .auto, attributes: String = ""
  ) {
    append({ object()?.description ?? "(null)" }, .none, privacy, isPublic: false)
  }

  @_disfavoredOverload
  public mutating func appendInterpolation<Value: CustomStringConvertible>(
    _ value: @autoclosure @escaping () -> Value, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto, attributes: String = ""
  ) {
    append({ value().description }, align, privacy, isPublic: false)
  }

  @_disfavoredOverload
  public mutating func appendInterpolation(
    _ error: @autoclosure @escaping () -> any Error, privacy: OSLogPrivacy = .auto, attributes: String = ""
  ) {
    append({ "\(error())" }, .none, privacy, isPublic: false)
  }
}
