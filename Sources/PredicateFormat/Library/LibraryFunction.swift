/// A function of Decant's own, for mapping models that are written as text (docs/functions.md).
///
/// Any argument that is nil makes the result nil, but where a parameter says that it takes nil. What isn't a number
/// (NaN) is nil.
package struct LibraryFunction: Sendable {
  typealias Body = @Sendable (LibraryCall) throws(EvaluationError) -> Value

  /// What comes of a call, as far as its name alone tells.
  package enum Result: Sendable {
    case text, number, date, uuid
    /// One of the arguments.
    case argument
  }

  package let name: String
  package let parameters: [LibraryParameter]
  /// What may follow the parameters, any number of times.
  package let rest: LibraryParameter?
  package let result: Result
  let body: Body

  init(
    _ name: String, _ parameters: [LibraryParameter], rest: LibraryParameter? = nil, gives result: Result,
    _ body: @escaping Body
  ) {
    self.name = name
    self.parameters = parameters
    self.rest = rest
    self.result = result
    self.body = body
  }

  /// The parameter of an argument's place; `nil` beyond the last.
  package func parameter(at place: Int) -> LibraryParameter? {
    parameters.indices.contains(place) ? parameters[place] : rest
  }

  /// How the function is called, `trim(text, [characters])`.
  package var signature: String {
    let words = parameters.map(\.words) + (rest.map { ["\($0.name)…"] } ?? [])
    return "\(name)(\(words.joined(separator: ", ")))"
  }

  /// What is wrong with a number of arguments; `nil` where nothing is.
  package func problem(withCount count: Int) -> String? {
    let least = parameters.count { !$0.isOptional }
    if count >= least, rest != nil || count <= parameters.count { return nil }
    return "“\(name)” is called with \(count) argument\(count == 1 ? "" : "s")"
  }

  /// The result, over arguments that are checked here.
  func value(_ arguments: [Value], _ evaluation: Evaluation) throws(EvaluationError) -> Value {
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
        .mismatch(expected: "\(parameter.sort.words) as “\(parameter.name)” of “\(name)”", found: problem))
    }
    return try body(LibraryCall(arguments: arguments, evaluation: evaluation))
  }
}
