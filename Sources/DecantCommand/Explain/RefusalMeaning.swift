internal import DecantReport

/// The meaning of a refusal for a person who reads it for the first time.
enum RefusalMeaning {
  static func sentence(_ reason: FailureReason) -> String {
    switch reason {
    case .notInferable:
      "A change between the two versions has no rule, such as another type of a value. A mapping model has to say how "
        + "the new values are made."
    case .unknownVersion:
      "Either the app that wrote the store had a version of the model that the catalogue lacks, or the app's model was "
        + "changed without a new version, or the catalogue is that of another app. Nothing can be said about the store's "
        + "values before the catalogue has this model."
    case .ambiguousFamily:
      "Several families have a version with these hashes, and each could lead to another result."
    case .unknownFamily, .noCatalogue, .catalogueUnreadable:
      "The place where the models should be has no such family, or can't be read."
    case .noTarget, .unknownTarget: "It isn't stated to which version stores go, or that version doesn't exist."
    case .olderTarget:
      "The model's current version is older than the store. Decant migrates to an older version only if “target” or "
        + "--to names it."
    case .severalPaths, .directionUnknown:
      "Several ways could lead to the target, and they could give different results."
    case .inferenceRefused: "The family allows only mapping models, and none is for these versions."
    case .dataLoss: "Values would be lost, and the family forbids that, or the loss has to be confirmed."
    case .needsPolicy: "The mapping model calls code that isn't there."
    default:
      switch reason.disposition {
      case .catalogue: "The catalogue has a fault. Stores of this family wait until it is corrected."
      case .retry: "The problem may pass: the same command may succeed later."
      case .stopped, .fault: "The work ended before it was done; the store is unchanged."
      case .refuse:
        switch reason.evidence {
        case .store: "The store itself can't be migrated as it is; another catalogue wouldn't change that."
        case .rows: "Some values of this store break a rule, and other stores of the same version may be fine."
        case .catalogue: "Store and catalogue don't fit."
        case nil: "The migration was refused before anything was written."
        }
      }
    }
  }
}
