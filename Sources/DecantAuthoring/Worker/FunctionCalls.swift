internal import DecantMapping

/// The messages that the filter, `uniqueBy` and the property mappings of an entity mapping send to code.
struct FunctionCalls {
  /// The selectors of messages to the policy.
  private(set) var policy: [String] = []
  /// The selectors of messages to classes, by the name of the class without its module.
  private(set) var classes: [String: Set<String>] = [:]

  init(_ mapping: EntityMapping) {
    var texts = [mapping.filter.map { "\($0)" }, mapping.uniqueBy.map { "\($0)" }].compactMap(\.self)
    texts += mapping.attributeMappings.compactMap {
      if case .expression(let expression) = $0.value { "\(expression)" } else { nil }
    }
    texts += mapping.relationshipMappings.compactMap {
      if case .expression(let expression) = $0.value { "\(expression)" } else { nil }
    }
    for text in texts { take(text[...]) }
  }

  private mutating func take(_ text: Substring) {
    var rest = text
    while let call = rest.range(of: "FUNCTION(") {
      rest = rest[call.upperBound...]
      var words = Words(rest)
      if rest.hasPrefix("$entityPolicy") {
        if let selector = words.next() { policy.append(selector) }
      } else if rest.hasPrefix("CAST("), let name = words.next(), words.next() == "Class" {
        if let selector = words.next() {
          classes[SwiftName.withoutModule(name), default: []].insert(selector)
        }
      }
    }
  }

  private struct Words {
    private var rest: Substring

    init(_ text: Substring) { rest = text }

    mutating func next() -> String? {
      guard let start = rest.firstIndex(where: { $0 == "\"" || $0 == "'" }) else { return nil }
      let body = rest[rest.index(after: start)...]
      guard let end = body.firstIndex(of: rest[start]) else { return nil }
      rest = body[body.index(after: end)...]
      return String(body[..<end])
    }
  }
}
