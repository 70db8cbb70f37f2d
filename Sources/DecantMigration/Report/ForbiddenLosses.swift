internal import DecantModel

/// What is said where values would be lost that somebody forbids to lose.
extension MigrationFailure {
  /// What forbids the losses of a strict job.
  static let strict = "the command says --strict"

  /// The refusal of losses that nobody accepts; `nil` where there are none.
  ///
  /// - Parameter reason: What forbids them.
  init?(forbidden losses: [MigrationReport.Loss], by reason: String) {
    let forbidden = losses.filter { $0.values > 0 && !$0.accepted }
    guard let first = forbidden.first else { return nil }
    let words = forbidden.map(\.sentence).joined(separator: "; ")
    self.init(
      disposition: .refuse, reason: "data-loss", coreDataCode: 134_110,
      message: "Values would be lost, and \(reason): \(words).", advice: first.advice)
  }
}

extension MigrationReport {
  /// The refusal that a strict job gets for the report's losses; `nil` where the family accepts them all.
  public func forbiddenLosses() -> MigrationFailure? {
    var failure = MigrationFailure(forbidden: losses, by: MigrationFailure.strict)
    failure?.family = family
    return failure
  }
}

extension MigrationReport.Loss {
  /// The loss in a list of what would go.
  fileprivate var sentence: String {
    let place = version.map { " of version “\($0)”, on the way," } ?? ""
    let name = "“\(entity).\(property ?? "")”"
    return switch kind {
    case .entity:
      cause == .filters
        ? "\(counted(values, "object")) of “\(entity)”\(place) that no filter or uniqueBy of an entity mapping takes"
        : "entity “\(entity)”\(place) with \(counted(values, "object"))"
    case .attribute:
      "attribute \(name)\(place) with \(counted(values, "value"))"
        + (cause == .missingFile ? " whose \(values == 1 ? "file is" : "files are") missing" : "")
    case .relationship:
      "relationship \(name)\(place) with \(counted(values, "target"))"
    }
  }

  /// What to do about it.
  fileprivate var advice: String {
    let name = entity + (property.map { ".\($0)" } ?? "")
    let accept = "If the loss is meant, add \"\(name)\" to acceptedLosses in family.json5."
    let way =
      switch cause {
      case .noEntityMapping: "Add an entity mapping for it, or say { remove: \"\(entity)\" } in a text mapping."
      case .filters: "Add an entity mapping for the others, or say { remove: \"\(entity)\" } in a text mapping."
      case .missingFile: "Drop the store together with its folder of external data."
      case .noPlace, .fewerTargets:
        probableRename.map {
          "If “\(property ?? entity)” is called “\($0)” now, say so under “renames” in family.json5."
        } ?? "Write a mapping model that keeps the values."
      }
    return "\(way) \(accept)"
  }
}
