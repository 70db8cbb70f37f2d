internal import DecantModel
internal import PredicateFormat

extension MappingCheck {
  /// A function by name: whether there is one, and whether it can do anything with what it is given.
  mutating func checkFunction(
    _ name: String, _ arguments: [FormatExpression], of entity: EntityMapping, _ prefix: String,
    _ property: String?
  ) {
    if FunctionName.isKnown(name) { return }
    guard let function = Library.function(name) else {
      let bare = String(name.prefix { $0 != ":" })
      let known = Library.all.map(\.name) + FunctionName.bareNames
      report(
        "\(prefix)there is no function “\(name)”",
        hint(bare, known, otherwise: "The functions are those of the language and of docs/functions.md"),
        in: entity,
        property: property)
      return
    }
    if let problem = function.problem(withCount: arguments.count) {
      report("\(prefix)\(problem)", "Write \(function.signature)", in: entity, property: property)
      return
    }
    for (place, argument) in arguments.enumerated() {
      guard let parameter = function.parameter(at: place) else { continue }
      if case .constant(let value) = argument {
        // nil may be meant, and what isn't a number is nil.
        guard value != .null, let problem = parameter.problem(with: value) else { continue }
        report(
          "\(prefix)“\(parameter.name)” of “\(function.name)” is \(problem)",
          "Write \(parameter.sort.plainWords)", in: entity, property: property)
      } else if let wanted = parameter.sort.sorts, let sort = sort(of: argument, in: entity),
        !wanted.contains(sort), let first = wanted.first
      {
        report(
          "\(prefix)“\(parameter.name)” of “\(function.name)” is \(sort.words), where \(parameter.sort.plainWords) is "
            + "wanted",
          sort.advice(for: first), in: entity, property: property)
      }
    }
  }

  /// The sort of what an argument gives, as far as its form or the source model tells.
  private func sort(of expression: FormatExpression, in entity: EntityMapping) -> ValueSort? {
    if let sort = ValueSort(expression) { return sort }
    guard let from = entity.sourceEntityName, source.entity(named: from) != nil,
      case .attribute(let attribute, _) = SourcePathEnd(expression, from: from, in: source)
    else { return nil }
    return ValueSort(attribute.type)
  }
}

extension LibraryParameter.Sort {
  /// The sorts of values that are taken; `nil` where any is.
  fileprivate var sorts: [ValueSort]? {
    switch self {
    case .text, .texts, .pattern, .datePattern, .readingPattern, .locale, .timeZone: [.string]
    case .number, .whole: [.number]
    case .date: [.date]
    case .bytes: [.string, .data]
    case .plain, .anything: nil
    }
  }

  /// What is wanted, at the end of a sentence.
  fileprivate var plainWords: String { words.hasSuffix(",") ? String(words.dropLast()) : words }
}
