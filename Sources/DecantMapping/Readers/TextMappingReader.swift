internal import DecantModel
internal import PredicateFormat

/// Reads a mapping model as text (`NAME.mapping.json5`).
///
/// Keys of the file: `name`, `source`, `destination` (names of versions), `order`, `validation`,
/// `acceptStaleHashes`, `entityMappings`. `TextEntityMapping` has those of an entity mapping.
enum TextMappingReader {
  static let keys = [
    "name", "source", "destination", "order", "validation", "acceptStaleHashes", "entityMappings",
  ]

  static func read(_ object: TextObject, name: String, path: String) throws(MappingModelError)
    -> MappingModelDraft
  {
    try object.allow(keys, of: "the mapping model")
    var draft = MappingModelDraft(name: try object.text("name") ?? name, path: path)
    draft.sourceVersion = try object.versionName("source")
    draft.destinationVersion = try object.versionName("destination")
    draft.order = try object.integer("order")
    draft.acceptsStaleHashes = try object.flag("acceptStaleHashes")
    if let word = try object.text("validation") {
      guard let mode = ValidationMode(rawValue: word) else {
        let words = ValidationMode.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
        throw object.fault("“validation” must be one of: \(words)", at: .key("validation"))
      }
      draft.validation = mode
    }
    for mapping in try object.objects("entityMappings", limit: MappingLimits.entityMappings) {
      draft.entityMappings.append(try TextEntityMapping(mapping).draft())
    }
    return draft
  }
}
