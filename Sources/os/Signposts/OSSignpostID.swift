// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Tells signposts of the same name apart.
public struct OSSignpostID: RawRepresentable, Comparable, Hashable, Sendable {
  public let rawValue: UInt64

  public static let exclusive = Self(0xEEEE_B0B5_B2B2_EEEE)
  public static let invalid = Self(UInt64.max)
  public static let null = Self(0)

  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public init(_ value: UInt64) { rawValue = value }

  /// No signpost is written, so all signposts share one ID.
  public init(log: OSLog) { self = .exclusive }
  public init(log: OSLog, object: AnyObject) { self = .exclusive }

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The kind of a signpost.
public struct OSSignpostType: RawRepresentable, Equatable, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let event = Self(rawValue: 0)
  public static let begin = Self(rawValue: 1)
  public static let end = Self(rawValue: 2)
}

/// Does nothing: Linux has no tool that shows signposts.
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive
) {}

/// Does nothing: Linux has no tool that shows signposts.
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: Any?...
) {}
