internal import PredicateFormat

/// Calls of Decant's own functions.
extension KindCheck {
  /// - Returns: `false` if an argument certainly doesn't fit its parameter.
  mutating func fits(_ arguments: [ExpressionKind], _ function: LibraryFunction) -> Bool {
    var fit = true
    for (place, argument) in arguments.enumerated() {
      guard let parameter = function.parameter(at: place) else { continue }
      let kinds = argument.alternatives
      let wrong = kinds.compactMap { kind in parameter.problem(withKind: kind).map { (kind, $0) } }
      guard let (kind, misfit) = wrong.first else { continue }
      let problem = misfit.words
      let isCertain = wrong.count == kinds.count && wrong.allSatisfy(\.1.isCertain)
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

private struct Misfit {
  let words: String
  /// Whether no value of the kind fits.
  var isCertain = true
}

extension LibraryParameter {
  /// Why all or some values of a kind don't fit the parameter; `nil` if no reason is known.
  fileprivate func problem(withKind kind: ExpressionKind) -> Misfit? {
    switch kind {
    // A nil argument may be intended.
    case .unknown, .null, .oneOf: return nil
    case .constant(let value):
      return problem(with: value).map { Misfit(words: $0) }
    case .value(let sort):
      guard let wanted = self.sort.sorts else { return nil }
      return wanted.contains(sort) ? nil : Misfit(words: sort.words)
    case .object, .service: return self.sort == .anything ? nil : Misfit(words: kind.words)
    case .collection, .list:
      guard self.sort != .anything else { return nil }
      guard self.sort == .texts, let members = kind.members else { return Misfit(words: kind.words) }
      let misfits = members.compactMap(problem(withMember:))
      return (misfits.first(where: \.isCertain) ?? misfits.first).map {
        Misfit(words: "\(kind.words) with \($0.words)", isCertain: $0.isCertain)
      }
    }
  }

  private func problem(withMember member: ExpressionKind) -> Misfit? {
    let kinds = member.alternatives
    let misfits = kinds.compactMap(problem(withKind:))
    return misfits.first.map {
      Misfit(words: $0.words, isCertain: misfits.count == kinds.count && misfits.allSatisfy(\.isCertain))
    }
  }
}

extension LibraryParameter.Sort {
  /// The accepted sorts of values; `nil` for any.
  fileprivate var sorts: [ValueSort]? {
    switch self {
    case .text, .texts, .pattern, .datePattern, .readingPattern, .locale, .timeZone: [.string]
    case .number, .whole: [.number]
    case .date: [.date]
    case .bytes: [.string, .data, .transformable]
    case .plain, .anything: nil
    }
  }

  /// The accepted value, as the end of a sentence.
  fileprivate var plainWords: String { words.hasSuffix(",") ? String(words.dropLast()) : words }

  fileprivate func advice(from kind: ExpressionKind) -> String {
    if case .value(let sort) = kind, let first = sorts?.first { return sort.advice(for: first) }
    return kind.members == nil
      ? "Go on to an attribute" : "Make one value of the members, for instance with join() or @max"
  }
}
