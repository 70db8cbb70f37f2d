internal import DecantModel
internal import PredicateFormat

/// Reads a mapping model as text (`NAME.mapping.json5`).
enum TextMappingReader {
  static let keys = [
    "name", "source", "destination", "order", "validation", "acceptStaleHashes", "others", "entityMappings",
  ]

  /// Reads what is readable, and notes the faults in `object`.
  static func survey(_ object: TextObject, name: String, path: String) -> MappingModelDraft {
    let isWhole = object.attemptKeys(keys, of: "the mapping model")
    var draft = MappingModelDraft(name: name, path: path)
    object.attempt { () throws(MappingModelError) in draft.name = try object.text("name") ?? name }
    if isWhole || object.entries["source"] != nil {
      object.attempt { () throws(MappingModelError) in draft.sourceVersion = try object.versionName("source") }
    }
    if isWhole || object.entries["destination"] != nil {
      object.attempt { () throws(MappingModelError) in
        draft.destinationVersion = try object.versionName("destination")
      }
    }
    object.attempt { () throws(MappingModelError) in draft.order = try object.integer("order") }
    object.attempt { () throws(MappingModelError) in
      draft.acceptsStaleHashes = try object.flag("acceptStaleHashes")
    }
    object.attempt { () throws(MappingModelError) in draft.validation = try validation(object) }
    let areOthersRead = object.attempt { () throws(MappingModelError) in draft.others = try others(object) }
    draft.isWhole = object.attempt { () throws(MappingModelError) in
      for mapping in try object.objects("entityMappings", limit: MappingLimits.entityMappings) {
        draft.entityMappings.append(TextEntityMapping(mapping).draft())
      }
    }
    // A misspelt key may be “others”.
    draft.isWhole = draft.isWhole && areOthersRead && isWhole
    return draft
  }

  private static func others(_ object: TextObject) throws(MappingModelError) -> MappingModel.Others? {
    guard let word = try object.text("others", "“infer” in quotes") else { return nil }
    guard let others = MappingModel.Others(rawValue: word) else {
      throw object.fault(
        "“others” must be “infer”; without it every source entity must be named", at: .key("others"))
    }
    return others
  }

  private static func validation(_ object: TextObject) throws(MappingModelError) -> ValidationMode? {
    guard let word = try object.text("validation") else { return nil }
    guard let mode = ValidationMode(rawValue: word) else {
      let words = ValidationMode.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
      throw object.fault("“validation” must be one of: \(words)", at: .key("validation"))
    }
    return mode
  }
}
