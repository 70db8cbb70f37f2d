/// The input of an evaluation, also for `now()` and `random()`, so that results can be repeated.
public struct EvaluationContext: Sendable {
  /// The value of `SELF`.
  public var object: Value
  /// The values of the variables, by their names without `$`.
  public var variables: [String: Value]
  /// The value of `now()`, in seconds since 2001-01-01 00:00:00 UTC.
  public var now: Double
  /// The seed of `random()`.
  public var seed: UInt64
  /// A text that identifies the job, and stays the same when the job is resumed.
  ///
  /// `uuid()` computes its identifiers from this text, the source object and the arguments.
  public var job: String
  /// Functions and messages in addition to the language's own.
  public var functions: FunctionTable
  /// The largest number of steps of one evaluation, such as visited expressions and members.
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

/// The functions, messages and fetches that a text may use in addition to the language's own functions.
public struct FunctionTable: Sendable {
  public typealias Function = @Sendable (_ arguments: [Value]) throws -> Value
  /// The answer of a message; `nil` if the target doesn't know the selector.
  public typealias Message =
    @Sendable (_ target: Value, _ selector: String, _ arguments: [Value]) throws -> Value?
  /// The objects of a request, or their number; `nil` if fetching isn't possible.
  public typealias Fetch = @Sendable (_ request: Value, _ context: Value, _ countOnly: Bool) throws -> Value?

  /// Whether Decant's own functions may be called, such as `split` (docs/functions.md).
  public var hasLibrary: Bool
  /// Functions by name, without colons at the end: `rot13`, `turn:round`.
  ///
  /// A function of Decant's library has precedence over a function with the same name in this table.
  public var named: [String: Function]
  /// Answers `FUNCTION(target, "selector:", …)`.
  public var message: Message
  /// Answers `FETCH(request, context, countOnly)`.
  public var fetch: Fetch

  /// A table with only Decant's own functions.
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
