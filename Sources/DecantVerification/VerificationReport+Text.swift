internal import DecantModel
internal import Foundation

extension Findings {
  func report(source: URL, destination: URL) -> Verification.Report {
    Verification.Report(
      source: source.path, destination: destination.path, isEqual: differences.isEmpty, compared: compared,
      entities: entities, expected: expected, differences: differences)
  }
}

extension Verification.Report: CustomStringConvertible {
  public var description: String { lines().joined(separator: "\n") }

  /// The report as text.
  ///
  /// - Parameter width: The width of a line in columns; longer words aren't split.
  public func lines(width: Int = 80) -> [String] {
    let isWhole = !expected.contains { [.notJudged, .leftToPolicy, .unjudgedPairs].contains($0.kind) }
    let isLeftToPolicies = expected.contains { $0.kind == .leftToPolicy && $0.property != nil }
    let leftOut = expected.filter { $0.kind == .leftToPolicy && $0.property == nil }.reduce(0) { $0 + $1.count }
    let equal =
      if isUnchangedSource {
        "Equal: the XML store was delivered unchanged."
      } else if isWhole {
        "Equal."
      } else if leftOut > 0 {
        "Equal, as far as Decant can check. A policy left \(counted(leftOut, "source object")) out, or deleted "
          + (leftOut == 1 ? "its object." : "their objects.")
      } else if compared.rows == 0, isLeftToPolicies {
        "Nothing is missing. A policy made all objects, and only it knows their values."
      } else {
        "Equal, as far as Decant can check."
      }
    var lines = isEqual ? [equal] : differenceLines(width: width)
    func add(_ text: String) { lines += Self.wrapped(text, width: width) }
    guard !isUnchangedSource else { return lines }
    if !isEqual { lines.append("") }
    add(
      "Compared: " + counted(entities.count, "entity", "entities") + " with "
        + counted(compared.rows, "row") + ", " + counted(compared.values, "value") + " of "
        + counted(compared.attributes, "attribute") + ", " + counted(compared.pairs, "pair") + " of "
        + counted(compared.relationships, "relationship") + ", " + counted(compared.orders, "order")
        + ", "
        + counted(compared.files, "external file") + ", " + counted(compared.tables, "table") + ", "
        + counted(compared.indexes, "index", "indexes") + ", metadata.")
    if let way { add("Path: " + way.description) }
    for item in expected { add("\(item.kind.heading): \(item.description)") }
    return lines
  }

  /// The differences alone as text; empty if there are none.
  public func differenceLines(width: Int = 80) -> [String] {
    guard !isEqual else { return [] }
    return ["\(counted(differences.count, "difference")):"]
      + differences.flatMap { Self.wrapped("- " + $0.description, width: width) }
  }

  /// Breaks a paragraph at spaces; further lines are indented by two columns.
  private static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if line.count + 1 + word.count <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = "  " + word
      }
    }
    return lines + [line]
  }
}

extension Verification.Expected.Kind {
  /// The heading before the sentence: what the kind means for the comparison.
  fileprivate var heading: String {
    switch self {
    case .asMapped, .pairsAsMapped: "Equal"
    case .leftToPolicy, .setByPolicy, .pairsSetByPolicy, .madeByPolicy, .notJudged, .unjudgedPairs:
      "Not checked"
    case .samePath: "Note"
    case .dangling, .targetGone, .displaced, .entityGone, .missingFile, .filelessValue, .historyEmptied,
      .historyGone,
      .filtered, .withoutValue, .quarantined, .strayRows:
      "Not a difference"
    }
  }
}

extension Verification.Expected: CustomStringConvertible {
  public var description: String {
    let place = property.map { "“\(entity).\($0)”" } ?? "“\(entity)”"
    return switch kind {
    case .dangling:
      "\(counted(count, "reference")) of \(place) led to no object and can't be kept."
    case .targetGone:
      "\(counted(count, "reference")) of \(place) led to objects that aren't migrated."
    case .displaced:
      "\(counted(count, "pair")) of \(place) left out, because the relationship can hold only one."
    case .entityGone:
      "\(counted(count, "object")) of \(place) left out, because no entity of the new version takes "
        + "\(count == 1 ? "it" : "them")."
    case .missingFile:
      "\(counted(count, "file")) of \(place) missing beside the source, too."
    case .filelessValue:
      "\(counted(count, "value")) of \(place) \(count == 1 ? "is" : "are") nil, or the default, because "
        + "\(count == 1 ? "its file was" : "their files were") missing."
    case .filtered:
      "\(counted(count, "object")) filtered by entity mapping “\(entity)”."
    case .withoutValue:
      "\(counted(count, "object")) without a value of uniqueBy of entity mapping “\(entity)”."
    case .quarantined:
      "\(counted(count, "object")) of \(place) in quarantine."
    case .leftToPolicy where property == nil:
      "\(counted(count, "source object")) of “\(entity)” without an association: a policy left "
        + "\(count == 1 ? "it out, or deleted its object" : "them out, or deleted their objects")."
    case .leftToPolicy:
      "made by the policy \(property ?? ""): \(counted(count, "object")) associated by “\(entity)”. "
        + "Only the policy knows their values."
    case .asMapped:
      "\(counted(count, "value")) of \(place) as the entity mapping says, in objects that a policy made."
    case .setByPolicy:
      "\(counted(count, "value")) of \(place) that a policy set otherwise than the entity mapping."
    case .pairsAsMapped:
      "\(counted(count, "pair")) of \(place) as the entity mapping says, of objects that a policy made."
    case .pairsSetByPolicy:
      "\(counted(count, "object")) to which a policy gave another \(place) than the entity mapping."
    case .madeByPolicy:
      "\(counted(count, "object")) of \(place) not from a mapping (made by a policy)."
    case .notJudged:
      property == nil
        ? "steps after “\(entity)”, because they start from values that Decant can't compute."
        : "\(place): its expression doesn't look up destination instances, or it calls code of a worker."
    case .unjudgedPairs:
      "\(counted(count, "pair")) of \(place), because a policy made one of the objects."
    case .samePath:
      "\(place) was calculated row by row, as in the migration: its expression can't be written in SQL."
    case .historyEmptied:
      "persistent history is emptied; it held \(counted(count, "change"))."
    case .historyGone:
      "\(counted(count, "change")) of persistent history: the destination model doesn't have the entity."
    case .strayRows:
      "\(counted(count, "row")) of table \(place) that \(count == 1 ? "is an object" : "are objects") of "
        + "no entity."
    }
  }
}

extension Verification.Difference: CustomStringConvertible {
  public var description: String {
    let place = [entity, property].compactMap { $0 }.joined(separator: ".")
    let subject = place.isEmpty ? "“\(name ?? "")”" : "“\(place)”"
    let shown = examples.joined(separator: ", ")
    let more = count > examples.count && !examples.isEmpty ? ", …" : ""
    let (sentence, isKeys) = sentence(place.isEmpty || name == nil ? subject : "“\(name ?? "")”")
    guard !shown.isEmpty else { return sentence + "." }
    return isKeys
      ? "\(sentence) (\(examples.count == 1 ? "key" : "keys") \(shown)\(more))." : "\(sentence): \(shown)."
  }

  /// The text of the difference, and whether its examples are keys.
  private func sentence(_ subject: String) -> (text: String, isKeys: Bool) {
    func many(_ one: String, _ plural: String? = nil) -> String {
      counted(count, one, plural)
    }
    return switch kind {
    case .missingTable: ("table \(subject) is missing", false)
    case .surplusTable: ("table \(subject) is surplus", false)
    case .missingColumn: ("column \(subject) is missing", false)
    case .surplusColumn: ("column \(subject) is surplus", false)
    case .changedColumn: ("column \(subject) is of another type", false)
    case .missingIndex: ("index \(subject) is missing", false)
    case .surplusIndex: ("index \(subject) is surplus", false)
    case .changedIndex: ("index \(subject) is different", false)
    case .missingTrigger: ("trigger \(subject) is missing", false)
    case .surplusTrigger: ("trigger \(subject) is surplus", false)
    case .changedTrigger: ("trigger \(subject) is different", false)
    case .entityTable: ("row \(subject) of Z_PRIMARYKEY is different", false)
    case .highWaterMark: ("the high-water mark (Z_MAX) of \(subject) is too small", false)
    case .uuid: ("the store's UUID is different", false)
    case .versionHash: ("the version hash of \(subject) is different", false)
    case .metadataKey: ("the metadata key \(subject) is different", false)
    case .damage: ("the destination is damaged", false)
    case .lostRow: ("\(subject): \(many("object")) lost", true)
    case .surplusRow: ("\(subject): \(many("object")) too many", true)
    case .entityNumber: ("\(subject): \(many("object")) under a wrong entity number", true)
    case .saveCount: ("\(subject): \(many("save count")) (Z_OPT) changed", true)
    case .changedValue: ("\(subject): \(many("value")) changed", true)
    case .marker: ("\(subject): \(many("value")) with a wrong marker byte of external storage", true)
    case .derivedValue: ("\(subject): \(many("derived value")) wrong", true)
    case .missingFile: ("\(subject): \(many("external file")) missing", true)
    case .changedFile: ("\(subject): \(many("external file")) changed", true)
    case .lostPair: ("\(subject): \(many("pair")) lost", true)
    case .surplusPair: ("\(subject): \(many("pair")) too many", true)
    case .changedTarget: ("\(subject): \(many("object")) with another target", true)
    case .entityColumn: ("\(subject): \(many("reference")) with a wrong entity number", true)
    case .orphan: ("\(subject): \(many("reference")) to no object", true)
    case .changedOrder: ("\(subject): the order of \(many("object")) changed", true)
    case .orderKey: ("\(subject): ordering keys of \(many("object")) missing or not distinct", true)
    case .xmlContent:
      ("the destination isn't an exact copy of the XML store \(subject), which needed no migration", false)
    case .lostHistory: ("\(subject): \(many("row")) of persistent history lost or changed", true)
    case .surplusHistory: ("\(subject): \(many("row")) of persistent history too many or changed", true)
    case .lostAssociation:
      ("entity mapping \(subject): \(many("source object")) without an association", true)
    case .surplusAssociation:
      ("entity mapping \(subject): \(many("source object")) with more than one association", true)
    case .strayAssociation:
      ("entity mapping \(subject): \(many("association")) of missing objects", true)
    case .movedAssociation:
      ("entity mapping \(subject): \(many("association")) with a wrong object", true)
    case .sharedObject:
      ("entity mapping \(subject): \(many("object")) that another association has, too", true)
    case .filteredObject:
      (
        "entity mapping \(subject): \(many("source object")) associated although the filter excludes "
          + (count == 1 ? "it" : "them"), true
      )
    case .unexplainedObject: ("\(subject): \(many("object")) that no association explains", true)
    case .failedExpression: ("entity mapping \(subject): \(many("value")) can't be calculated", false)
    case .asideValue: ("\(subject): \(many("value")) changed in quarantine", true)
    case .asideWithoutReason:
      ("\(subject): \(many("object")) in quarantine that \(count == 1 ? "breaks" : "break") no rule", true)
    case .missingQuarantine:
      (
        "the quarantine's file \(subject) isn't beside the destination, so its content is missing", false
      )
    case .lostStrayRow:
      ("table \(subject): \(many("row")) of no entity missing, or changed", true)
    case .surplusStrayRow:
      ("table \(subject): \(many("row")) of no entity that the source doesn't have in this form", true)
    case .changedStrayList:
      ("the list \(subject) differs from the source's rows of no entity, from this line on", false)
    case .modelCache: ("the model in \(subject) can't be used", false)
    }
  }
}
