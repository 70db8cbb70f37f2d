extension MigrationReport.Loss.Kind {
  /// What a loss counts, in the singular.
  package var unit: String {
    switch self {
    case .entity: "object"
    case .attribute: "value"
    case .relationship: "target"
    }
  }
}

extension MigrationReport.Loss.Cause {
  /// Why the values are lost, without a full stop.
  package var words: String {
    switch self {
    case .noPlace: "the new version has no place for them"
    case .fewerTargets: "the relationship can hold fewer targets now"
    case .unlinked:
      "no relationship that is filled from this relationship connects owner and target in the new store"
    case .order: "only their order is lost: the relationship isn't ordered now, or uniqueBy makes its objects"
    case .missingFile: "their files are missing"
    case .noEntityMapping: "no entity mapping takes them"
    case .filters: "no filter or uniqueBy of an entity mapping takes them"
    case .removed: "the mapping models remove them"
    case .unread: "no entity mapping that takes the objects reads these values"
    case .shared: "another object with the same value of uniqueBy gives the value"
    case .unparsed: "the mapping model can't parse these texts, and sets nil"
    }
  }
}
