internal import DecantCatalogue
internal import DecantModel
package import DecantReport

/// The messages about losses that a setting or option forbids.
extension MigrationFailure {
  static let strict = "the command says --strict"

  /// The refusal of losses that the family doesn't accept; `nil` if every loss is accepted or has no values.
  ///
  /// The message names up to 20 losses. The details have the line for `family.json5` that accepts up to 200 losses.
  ///
  /// - Parameters:
  ///   - reason: The setting or option that forbids the losses.
  ///   - accepted: The losses that the family accepts already; the line contains them, too.
  init?(forbidden losses: [MigrationReport.Loss], by reason: String, accepted: AcceptedLosses) {
    let forbidden = losses.filter { $0.values > 0 && !$0.accepted }
    guard !forbidden.isEmpty else { return nil }
    let rest = forbidden.count - Self.shownLosses
    let words =
      forbidden.prefix(Self.shownLosses).map(\.sentence).joined(separator: "; ")
      + (rest > 0 ? "; and \(rest) more" : "")
    let ways = WaysToKeep(forbidden)
    let line = AcceptingLine(forbidden.map(\.acceptedName), besides: accepted)
    self.init(
      .dataLoss, message: "Values would be lost, and \(reason): \(words).", details: [line.text],
      advice: "\(ways.text) \(line.advice)")
  }

  private static let shownLosses = 20
}

/// The ways to keep what would be lost, as text.
///
/// The text has at least one way for each kind of loss.
private struct WaysToKeep {
  private static let most = 5

  let text: String

  init(_ losses: [MigrationReport.Loss]) {
    var seen: Set<String> = []
    let ways = losses.map { (kind: $0.wayKind, text: $0.way) }.filter { seen.insert($0.text).inserted }
    var kinds: Set<MigrationReport.Loss.WayKind> = []
    let firsts = ways.indices.filter { kinds.insert(ways[$0].kind).inserted }
    let others = ways.indices.filter { !firsts.contains($0) }
    let shown = firsts + others.prefix(max(0, Self.most - firsts.count))
    let further =
      kinds.count == 1 ? " Do the same for the others." : " Do the same for the others of each kind."
    let rest = shown.count == ways.count ? "" : further
    text = shown.sorted().map { ways[$0].text }.joined(separator: " ") + rest
  }
}

extension MigrationReport {
  /// The refusal of the report's losses in a strict job; `nil` if no loss is forbidden.
  package func forbiddenLosses() -> MigrationFailure? {
    let accepted = AcceptedLosses(losses.filter(\.accepted).map(\.acceptedName))
    var failure = MigrationFailure(forbidden: losses, by: MigrationFailure.strict, accepted: accepted)
    failure?.family = family
    return failure
  }
}

extension MigrationReport.Loss {
  fileprivate var sentence: String {
    let place = version.map { " of the intermediate version “\($0)”" } ?? ""
    let name = "“\(entity).\(property ?? "")”"
    return switch kind {
    case .entity:
      cause == .filters
        ? "\(counted(values, "object")) of “\(entity)”\(place) that no filter or uniqueBy of an entity mapping takes"
        : "entity “\(entity)”\(place) with \(counted(values, "object"))"
    case .attribute:
      "attribute \(name)\(place) with \(counted(values, "value"))"
        + (cause == .missingFile ? " whose \(values == 1 ? "file is" : "files are") missing" : "")
        + (cause == .shared
          ? " that \(values == 1 ? "differs" : "differ") in objects with the same uniqueBy" : "")
        + (cause == .unparsed ? " that the mapping model can't parse" : "")
    case .relationship:
      cause == .order
        ? "the order of \(counted(values, "target")) of relationship \(name)\(place)"
        : "relationship \(name)\(place) with \(counted(values, "target"))"
    }
  }

  fileprivate var acceptedName: AcceptedLosses.Name { .init(entity: entity, property: property) }

  /// What must be done to keep the values.
  fileprivate enum WayKind: Hashable {
    case entityMapping, place, files, rename, mappingModel, shared, parsing, targets, ends, order
  }

  fileprivate var wayKind: WayKind {
    switch cause {
    case .noEntityMapping, .removed, .filters: .entityMapping
    case .unread: .place
    case .missingFile: .files
    case .noPlace: probableRename == nil ? .mappingModel : .rename
    case .shared: .shared
    case .unparsed: .parsing
    case .fewerTargets: .targets
    case .unlinked: .ends
    case .order: .order
    }
  }

  fileprivate var way: String {
    switch cause {
    case .noEntityMapping, .removed:
      "Add an entity mapping for “\(entity)”, or say { remove: \"\(entity)\" } in a text mapping."
    case .filters:
      "Add an entity mapping for the other objects of “\(entity)”, or say { remove: \"\(entity)\" } in a text "
        + "mapping."
    case .unread:
      "Give “\(entity).\(property ?? "")” a place in an entity mapping."
    case .shared:
      "If values of “\(entity).\(property ?? "")” differ, let uniqueBy distinguish the objects, or keep the values in "
        + "another entity mapping."
    case .unparsed:
      "Say what the mapping model sets where “\(entity).\(property ?? "")” can't be parsed, for example "
        + "coalesce(parseNumber(…), 0), or keep the text in another attribute, too."
    case .unlinked:
      "To keep each target of “\(entity).\(property ?? "")”, make the relationship to-many, write a relationship mapping "
        + "for each entity mapping of the targets, and let both ends set the same pairs."
    case .order:
      "Keep “\(entity).\(property ?? "")” ordered in the new version; objects that uniqueBy makes don't keep an order."
    case .missingFile: "Put the store's folder of external data beside the store, and migrate it again."
    case .fewerTargets:
      "If “\(entity).\(property ?? "")” has more targets than the new version can hold, give the others a place in another "
        + "relationship with a mapping model."
    case .noPlace:
      probableRename.map {
        "If “\(property ?? entity)” is called “\($0)” now, say so under “renames” in family.json5."
      }
        ?? "If something has another name now, say so under “renames” in family.json5; else write a mapping model that "
        + "keeps the values."
    }
  }
}
