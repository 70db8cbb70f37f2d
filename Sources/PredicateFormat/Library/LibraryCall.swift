/// The checked arguments of one call.
struct LibraryCall {
  /// The largest size of a text that a function makes from several texts, in bytes.
  static let maximumBytes = 1 << 24

  let arguments: [Value]
  let context: EvaluationContext

  func has(_ place: Int) -> Bool { arguments.indices.contains(place) }

  func value(_ place: Int) -> Value { has(place) ? arguments[place] : .null }

  func text(_ place: Int) -> String {
    if case .string(let text) = value(place) { text } else { "" }
  }

  func whole(_ place: Int, otherwise: Int = 0) -> Int {
    Number(value(place))?.whole.map { Int(clamping: $0) } ?? otherwise
  }

  static func isNil(_ value: Value) -> Bool {
    switch value {
    case .null: true
    case .double(let number): number.isNaN
    case .decimal(let number): number.isNaN
    default: false
    }
  }

  static func shortened(_ text: String) -> String { text.count > 40 ? text.prefix(40) + "…" : text }

  static func tooLong(_ name: String) -> EvaluationError {
    EvaluationError(.tooCostly("“\(name)” would make a text of more than \(maximumBytes >> 20) MiB"))
  }
}
