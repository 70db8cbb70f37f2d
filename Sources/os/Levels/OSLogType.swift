/// The level of a message for a log.
public struct OSLogType: RawRepresentable, Equatable, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public init(_ rawValue: UInt8) { self.rawValue = rawValue }

  public static let `default` = Self(0)
  public static let info = Self(1)
  public static let debug = Self(2)
  public static let error = Self(16)
  public static let fault = Self(17)
}
