/// A log: lines with the same subsystem and category.
public final class OSLog: Sendable {
  /// The categories that Apple's tools know.
  public struct Category: Equatable, Hashable, Sendable {
    let name: String

    public static let pointsOfInterest = Self(name: "PointsOfInterest")
    public static let dynamicTracing = Self(name: "DynamicTracing")
    public static let dynamicStackTracing = Self(name: "DynamicStackTracing")
  }

  /// The log without subsystem and category.
  public static let `default` = OSLog(source: "", isDisabled: false)
  /// A log that writes nothing.
  public static let disabled = OSLog(source: "", isDisabled: true)

  /// `subsystem:category`, or nothing.
  let source: String
  private let isDisabled: Bool

  /// - Parameters:
  ///   - subsystem: The program or its part, such as `org.example.notas`.
  ///   - category: The part within the subsystem.
  public convenience init(subsystem: String, category: String) {
    self.init(source: "\(subsystem):\(category)", isDisabled: false)
  }

  public convenience init(subsystem: String, category: Category) {
    self.init(subsystem: subsystem, category: category.name)
  }

  private init(source: String, isDisabled: Bool) {
    self.source = source
    self.isDisabled = isDisabled
  }

  /// Whether messages of this type are written.
  public func isEnabled(type: OSLogType) -> Bool { writes(LogLevel(type)) }

  /// Always false, because nothing is written for signposts.
  public var signpostsEnabled: Bool { false }

  func writes(_ level: LogLevel) -> Bool { !isDisabled && LogSettings.current.writes(level) }

  /// Writes a message as one line.
  ///
  /// The text is made only if the line is written.
  func write(_ level: LogLevel, _ text: (_ showsPrivate: Bool) -> String) {
    guard writes(level) else { return }
    LogLine.write(level, source: source, text(LogSettings.current.showsPrivate))
  }
}
