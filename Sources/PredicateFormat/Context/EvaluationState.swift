/// What changes during one evaluation, apart from its variables: the state of `random()`, and the steps that are left.
struct EvaluationState {
  let context: EvaluationContext
  private var random: UInt64
  private var stepsLeft: Int

  init(_ context: EvaluationContext) {
    self.context = context
    random = context.seed
    stepsLeft = context.maximumSteps
  }

  mutating func spend(_ steps: Int = 1) throws(EvaluationError) {
    guard steps <= stepsLeft else {
      throw EvaluationError(.tooCostly("evaluating takes more than \(context.maximumSteps) steps"))
    }
    stepsLeft -= steps
  }

  /// The next random number (SplitMix64).
  mutating func nextRandom() -> UInt64 {
    random &+= 0x9E37_79B9_7F4A_7C15
    var mixed = random
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
