/// How long results stay in `done/` and `failed/`, in days; 0 is for ever.
struct RetentionRules: Sendable, Hashable {
  var doneDays = 0.0
  var failedDays = 0.0
  /// The bytes that all results in `done/` may take together; 0 is no limit.
  var doneBytes = 0

  var keepsAll: Bool { doneDays <= 0 && failedDays <= 0 && doneBytes <= 0 }
}

extension ServiceConfiguration {
  var retention: RetentionRules {
    RetentionRules(doneDays: keepDoneDays, failedDays: keepFailedDays, doneBytes: keepDoneBytes)
  }
}
