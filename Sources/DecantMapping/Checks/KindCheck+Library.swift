internal import PredicateFormat

/// Calls of Decant's own functions.
extension KindCheck {
  /// - Returns: Whether the arguments are of kinds that the function takes, or may be.
  mutating func fits(_ arguments: [ExpressionKind], _ function: LibraryFunction) -> Bool {
    var fit = true
    for (place, argument) in arguments.enumerated() {
      guard let parameter = function.parameter(at: place) else { continue }
      let kinds = argument.alternatives
      let wrong = kinds.compactMap { kind in parameter.problem(withKind: kind).map { (kind, $0) } }
      guard let (kind, problem) = wrong.first else { continue }
      let isCertain = wrong.count == kinds.count
      if isCertain { fit = false }
      let subject = "“\(parameter.name)” of “\(function.name)”"
      let isText = kind.isConstant && isCertain
      note(
        Problem(
          severity: isCertain ? .error : .warning,
          problem: isText
            ? "\(subject) is \(problem)"
            : "\(subject) \(isCertain ? "is" : "may be") \(problem), where \(parameter.sort.plainWords) is wanted",
          advice: isText
            ? "Write \(parameter.sort.plainWords)" : parameter.sort.advice(from: kind), focus: function.name))
    }
    return fit
  }

  func result(of function: LibraryFunction, _ arguments: [ExpressionKind]) -> ExpressionKind {
    switch function.result {
    case .text: return .value(.string)
    case .number: return .value(.number)
    case .date: return .value(.date)
    case .uuid: return .value(.uuid)
    case .argument:
      let first = arguments.first { $0 != .null } ?? .null
      if first.isConstant, function.name == "coalesce" { return first }
      return .either(arguments)
    }
  }
}

extension LibraryParameter {
  /// What a value of a kind is instead of what is wanted; `nil` where it may fit.
  fileprivate func problem(withKind kind: ExpressionKind) -> String? {
    switch kind {
    case .unknown, .null, .oneOf: return nil
    case .constant(let value):
      // nil may be meant, and what isn't a number is nil.
      return problem(with: value)
    case .value(let sort):
      guard let wanted = self.sort.sorts else { return nil }
      return wanted.contains(sort) ? nil : sort.words
    case .object, .service: return self.sort == .anything ? nil : kind.words
    case .collection, .list:
      guard self.sort != .anything else { return nil }
      guard self.sort == .texts, let members = kind.members else { return kind.words }
      return members.lazy.flatMap(\.alternatives).compactMap { member in
        problem(withKind: member).map { "\(kind.words) with \($0)" }
      }.first
    }
  }
}

extension LibraryParameter.Sort {
  /// The sorts of values that are taken; `nil` where any is.
  fileprivate var sorts: [ValueSort]? {
    switch self {
    case .text, .texts, .pattern, .datePattern, .readingPattern, .locale, .timeZone: [.string]
    case .number, .whole: [.number]
    case .date: [.date]
    case .bytes: [.string, .data, .transformable]
    case .plain, .anything: nil
    }
  }

  /// What is wanted, at the end of a sentence.
  fileprivate var plainWords: String { words.hasSuffix(",") ? String(words.dropLast()) : words }

  fileprivate func advice(from kind: ExpressionKind) -> String {
    if case .value(let sort) = kind, let first = sorts?.first { return sort.advice(for: first) }
    return kind.members == nil
      ? "Go on to an attribute" : "Make one value of them, for instance with join() or @max"
  }
}
