/// The known words of a `contents` file (docs/formats/model-files.md 2), so that unknown ones are reported.
struct ContentsVocabulary {
  private static let attributes: [String: Set<String>] = [
    "model": [
      "type", "documentVersion", "userDefinedModelVersionIdentifier", "minimumToolsVersion",
      "lastSavedToolsVersion",
      "systemVersion", "sourceLanguage", "macOSVersion", "iOSVersion", "name", "usedWithCloudKit",
      "usedWithSwiftData",
    ],
    "entity": [
      "name", "representedClassName", "parentEntity", "isAbstract", "elementID", "renamingIdentifier",
      "versionHashModifier", "codeGenerationType", "syncable", "coreSpotlightDisplayNameExpression",
    ],
    "attribute": property.union([
      "attributeType", "defaultValueString", "defaultDateTimeInterval", "minValueString", "maxValueString",
      "minDateTimeInterval", "maxDateTimeInterval", "regularExpressionString", "usesScalarValueType",
      "allowsExternalBinaryDataStorage", "preserveAfterDeletion", "preservesValueInHistoryOnDeletion",
      "allowsCloudEncryption", "valueTransformerName", "customClassName", "derived", "derivationExpression",
      "composite",
    ]),
    "relationship": property.union([
      "destinationEntity", "inverseName", "inverseEntity", "toMany", "minCount", "maxCount", "ordered",
      "deletionRule",
    ]),
    "fetchedProperty": property,
    "fetchRequest": [
      "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "resultType", "includeSubentities",
      "includesSubentities", "includePropertyValues", "includesPropertyValues", "includesPendingChanges",
      "returnObjectsAsFaults", "returnsObjectsAsFaults", "returnDistinctResults", "returnsDistinctResults",
    ],
    "fetchIndex": ["name", "partialIndexPredicate"],
    "fetchIndexElement": ["property", "expression", "expressionType", "type", "order"],
    "configuration": ["name", "usedWithCloudKit"],
    "composite": ["name"],
  ]

  private static let property: Set<String> = [
    "name", "optional", "transient", "indexed", "elementID", "renamingIdentifier", "versionHashModifier",
    "spotlightIndexingEnabled", "syncable", "storedInTruthFile",
  ]

  /// The known elements within other elements; `ModelContentsReader` checks those of a model or an entity.
  private static let children: [String: Set<String>] = [
    "attribute": ["userInfo"], "relationship": ["userInfo"], "fetchedProperty": ["userInfo", "fetchRequest"],
    "fetchIndex": ["fetchIndexElement"], "composite": ["attribute"],
  ]

  private struct Word: Hashable {
    let kind: String
    let name: String
    let element: String
  }

  private var found: [Word: (count: Int, line: Int)] = [:]

  static func warnings(about root: XMLTree) -> [String] {
    var vocabulary = Self()
    vocabulary.look(at: root, depth: 0)
    let sorted = vocabulary.found.sorted { ($0.value.line, $0.key.name) < ($1.value.line, $1.key.name) }
    let shown = sorted.prefix(20).map { word, place in
      "line \(place.line): unknown \(word.kind) “\(word.name)” of “\(word.element)” ignored"
        + (place.count > 1 ? ", and \(place.count - 1) more of these" : "")
    }
    return shown + (sorted.count > 20 ? ["\(counted(sorted.count - 20, "more unknown word")) ignored"] : [])
  }

  private mutating func look(at element: XMLTree, depth: Int) {
    // No known element is nested deeper.
    guard depth < 6 else { return }
    if let known = Self.attributes[element.name] {
      let unknown = element.attributes.keys.filter { !known.contains($0) && !$0.contains(":") }
      for name in unknown.sorted() {
        note(Word(kind: "attribute", name: name, element: element.name), line: element.line)
      }
    }
    for child in element.children {
      if let known = Self.children[element.name], !known.contains(child.name) {
        note(Word(kind: "element", name: child.name, element: element.name), line: child.line)
      } else {
        look(at: child, depth: depth + 1)
      }
    }
  }

  private mutating func note(_ word: Word, line: Int) {
    if let known = found[word] {
      found[word] = (known.count + 1, min(known.line, line))
    } else if found.count < 1000 {
      found[word] = (1, line)
    }
  }
}
