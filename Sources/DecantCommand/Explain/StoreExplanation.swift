internal import DecantMigration
internal import DecantReport

/// What `decant explain` says about a store: its version, the ways of the steps, the losses, and what to do next.
struct StoreExplanation {
  struct Step {
    let source: String
    let destination: String
    /// `inferred` and how the step makes its file; or the files of the mapping models, or their names if the files
    /// aren't known.
    let way: String
    /// Why the step goes this way, and what runs in the step; sentences without a full stop.
    let reasons: [String]
  }

  struct Refusal {
    let reason: String
    /// The refusal's message and details.
    let sentences: [String]
    let meaning: String
  }

  let store: String
  /// The family and the version; `nil` if they aren't known.
  var family: String?
  var version: String?
  var target: String?
  /// How the version is known; a sentence.
  var knownBy: String
  var steps: [Step] = []
  var losses: [MigrationReport.Loss] = []
  /// Losses of later steps, which are counted only when these steps begin.
  var uncounted: [MigrationPlan.UncountedLosses] = []
  /// Whether a policy makes objects; the values that it reads aren't known in advance.
  var hasCode = false
  /// Sentences about code that is missing.
  var missing: [String] = []
  var warnings: [String] = []
  var refusal: Refusal?
  var next: [NextStep] = []

  struct NextStep {
    let sentence: String
    var line: String?
  }

  var isCurrent: Bool { refusal == nil && steps.isEmpty }
}
