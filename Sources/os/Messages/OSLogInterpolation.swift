/// The parts of a message.
///
/// Values are computed only if the message is written.
public struct OSLogInterpolation: StringInterpolationProtocol {
  private enum Part {
    case text(String)
    case value(() -> String, OSLogStringAlignment, OSLogPrivacy, isPublicByDefault: Bool)
  }

  private var parts: [Part] = []

  public init(literalCapacity: Int, interpolationCount: Int) {}

  init(_ text: String) { parts = [.text(text)] }

  public mutating func appendLiteral(_ literal: String) {
    if !literal.isEmpty { parts.append(.text(literal)) }
  }

  mutating func append(
    _ value: @escaping () -> String, _ align: OSLogStringAlignment, _ privacy: OSLogPrivacy, isPublic: Bool
  ) {
    parts.append(.value(value, align, privacy, isPublicByDefault: isPublic))
  }

  func text(showsPrivate: Bool) -> String {
    parts.reduce(into: "") { text, part in
      switch part {
      case .text(let literal): text += literal
      case .value(let value, let align, let privacy, let isPublic):
        text += align.aligned(
          privacy.shown(value, isPublicByDefault: isPublic, showsPrivate: showsPrivate))
      }
    }
  }
}
