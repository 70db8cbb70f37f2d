/// One of Decant's own functions (docs/functions.md).
///
/// If an argument is nil or NaN, the result is nil, unless the parameter accepts nil.
package struct LibraryFunction: Sendable {
  typealias Body = @Sendable (LibraryCall) throws(EvaluationError) -> Value

  /// The kind of the result, as far as it is the same for all calls.
  package enum Result: Sendable {
    case text, number, date, uuid
    /// The kind of one of the arguments.
    case argument
  }

  /// The texts for which the function gives nil, although no argument is nil.
  package enum NilTexts: Sendable {
    /// Texts that don't have the form that the function reads.
    case otherForm
    case empty
  }

  package let name: String
  package let parameters: [LibraryParameter]
  /// The parameter of all further arguments; `nil` if the function accepts no more.
  package let rest: LibraryParameter?
  package let result: Result
  /// `nil` if the function gives nil only for nil.
  package let nilTexts: NilTexts?
  let body: Body

  init(
    _ name: String, _ parameters: [LibraryParameter], rest: LibraryParameter? = nil, gives result: Result,
    nilFor nilTexts: NilTexts? = nil, _ body: @escaping Body
  ) {
    self.name = name
    self.parameters = parameters
    self.rest = rest
    self.result = result
    self.nilTexts = nilTexts
    self.body = body
  }

  package func parameter(at place: Int) -> LibraryParameter? {
    parameters.indices.contains(place) ? parameters[place] : rest
  }

  /// The form of a call, `trim(text, [characters])`.
  package var signature: String {
    let words = parameters.map(\.words) + (rest.map { ["\($0.name)…"] } ?? [])
    return "\(name)(\(words.joined(separator: ", ")))"
  }

  package func problem(withCount count: Int) -> String? {
    let least = parameters.count { !$0.isOptional }
    if count >= least, rest != nil || count <= parameters.count { return nil }
    return "“\(name)” is called with \(count) argument\(count == 1 ? "" : "s")"
  }

  func value(_ arguments: [Value], _ context: EvaluationContext) throws(EvaluationError) -> Value {
    if let problem = problem(withCount: arguments.count) {
      throw EvaluationError(.mismatch(expected: signature, found: problem))
    }
    for (place, argument) in arguments.enumerated() {
      if LibraryCall.isNil(argument), parameter(at: place)?.takesNil != true { return .null }
    }
    for (place, argument) in arguments.enumerated() where !LibraryCall.isNil(argument) {
      guard let parameter = parameter(at: place), let problem = parameter.problem(with: argument) else {
        continue
      }
      throw EvaluationError(
        .mismatch(expected: "\(parameter.sort.words) for “\(parameter.name)” of “\(name)”", found: problem))
    }
    return try body(LibraryCall(arguments: arguments, context: context))
  }
}
