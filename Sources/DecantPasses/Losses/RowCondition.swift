/// A condition over source rows: always true, never true, or SQL.
enum RowCondition: Hashable {
  case always
  case never
  case sql(String)

  static func any(_ parts: [RowCondition]) -> RowCondition {
    if parts.contains(.always) { return .always }
    return joined(parts, by: " OR ") ?? .never
  }

  static func all(_ parts: [RowCondition]) -> RowCondition {
    if parts.contains(.never) { return .never }
    return joined(parts, by: " AND ") ?? .always
  }

  private static func joined(_ parts: [RowCondition], by word: String) -> RowCondition? {
    var texts: [String] = []
    for case .sql(let text) in parts where !texts.contains(text) { texts.append(text) }
    guard !texts.isEmpty else { return nil }
    return .sql(texts.count == 1 ? texts[0] : "(\(texts.joined(separator: word)))")
  }

  var negated: RowCondition {
    switch self {
    case .always: .never
    case .never: .always
    case .sql(let text): .sql("NOT \(text)")
    }
  }

  var text: String {
    switch self {
    case .always: "1"
    case .never: "0"
    case .sql(let text): text
    }
  }
}
