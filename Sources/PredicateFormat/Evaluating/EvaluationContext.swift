/// What an expression is evaluated over; the same context gives the same result, `now()` and `random()` included.
public struct EvaluationContext: Sendable {
  /// What `SELF` is.
  public var object: Value
  /// What the variables stand for, by their names without `$`.
  public var variables: [String: Value]
  /// What `now()` gives, in seconds since 2001-01-01 00:00:00 UTC.
  public var now: Double
  /// What `random()` begins with.
  public var seed: UInt64
  /// What the identifiers of `uuid()` derive from, beside the source object: the same for a job and each resumption of it.
  public var job: String
  /// Functions and messages beside the language's own.
  public var functions: FunctionTable
  /// How many expressions and members one evaluation may look at.
  public var maximumSteps: Int

  public init(
    object: Value = .null, variables: [String: Value] = [:], now: Double = 0, seed: UInt64 = 0,
    job: String = "", functions: FunctionTable = FunctionTable(), maximumSteps: Int = 10_000_000
  ) {
    self.object = object
    self.variables = variables
    self.now = now
    self.seed = seed
    self.job = job
    self.functions = functions
    self.maximumSteps = maximumSteps
  }
}

/// What text may call beside the language's own functions; nothing that isn't in it can be called.
public struct FunctionTable: Sendable {
  public typealias Function = @Sendable (_ arguments: [Value]) throws -> Value
  /// A message's answer; `nil` where the target doesn't know the selector.
  public typealias Message =
    @Sendable (_ target: Value, _ selector: String, _ arguments: [Value]) throws -> Value?
  /// The objects of a request, or their number; `nil` where nothing can be fetched.
  public typealias Fetch = @Sendable (_ request: Value, _ context: Value, _ countOnly: Bool) throws -> Value?

  /// Whether Decant's own functions may be called: `split`, `formatDate` (docs/functions.md).
  public var hasLibrary: Bool
  /// Functions by name, without colons at the end: `rot13`, `turn:round`.
  ///
  /// A function of the library goes before one of its name.
  public var named: [String: Function]
  /// Who answers `FUNCTION(target, "selector:", …)`: `$manager`, a policy, a class.
  public var message: Message
  /// Who answers `FETCH(request, context, countOnly)`.
  public var fetch: Fetch

  /// Decant's own functions, and no others.
  public static let library = FunctionTable(hasLibrary: true)

  public init(
    hasLibrary: Bool = false, named: [String: Function] = [:], message: @escaping Message = { _, _, _ in nil },
    fetch: @escaping Fetch = { _, _, _ in nil }
  ) {
    self.hasLibrary = hasLibrary
    self.named = named
    self.message = message
    self.fetch = fetch
  }

  func function(_ name: String) -> Function? {
    named[name] ?? (name.hasSuffix(":") ? named[String(name.dropLast())] : nil)
  }
}

extension Expression {
  /// What the expression stands for.
  ///
  /// - Throws: `EvaluationError`, which names the part of the expression and what is wrong with it.
  public func value(in context: EvaluationContext) throws(EvaluationError) -> Value {
    var evaluation = Evaluation(context)
    return try evaluation.value(self)
  }
}

extension Predicate {
  /// Whether the predicate is true.
  ///
  /// - Throws: `EvaluationError`, which names the part of the predicate and what is wrong with it.
  public func holds(in context: EvaluationContext) throws(EvaluationError) -> Bool {
    var evaluation = Evaluation(context)
    return try evaluation.holds(self)
  }
}
