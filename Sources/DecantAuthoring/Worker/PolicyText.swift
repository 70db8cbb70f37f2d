internal import DecantConsole
internal import DecantMapping

/// The Swift code of classes that a developer completes.
enum PolicyText {
  static func policy(_ policy: WorkerPolicy) -> String {
    let uses = policy.uses.map { use in
      let entities = [use.mapping.sourceEntityName, use.mapping.destinationEntityName].map { $0 ?? "nothing" }
      return "/// - “\(comment(use.mapping.name))” of \(comment(use.file.file.name)): "
        + "\(comment(entities[0])) → \(comment(entities[1]))"
    }
    var lines = [
      "import CoreData", "", "/// The policy of these entity mappings:", "///",
    ]
    lines += uses
    lines += [
      "class \(SwiftName.escaped(policy.name)): NSEntityMigrationPolicy {",
      "  /// Called for each source object. `super` makes the object that the entity mapping describes.",
      "  override func createDestinationInstances(",
      "    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager",
      "  ) throws {",
      "    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)",
      "    let made = manager.destinationInstances(",
      "      forEntityMappingName: mapping.name, sourceInstances: [sInstance])",
      "    for dInstance in made { try complete(dInstance, from: sInstance) }",
      "  }",
      "",
      "  /// Sets what the entity mapping doesn't set, for example with",
      "  /// `dInstance.setValue(sInstance.value(forKey: \"old\"), forKey: \"new\")`.",
      "  private func complete(_ dInstance: NSManagedObject, from sInstance: NSManagedObject) throws {}",
    ]
    if !policy.selectors.isEmpty {
      lines += [
        "", "  /// Answers the messages that the mapping model sends with `FUNCTION($entityPolicy, …)`.",
      ]
      lines += answers(
        policy.selectors, of: policy.name, head: "override func invoke",
        otherwise: "return try super.invoke(selector, with: arguments)")
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  static func functions(_ name: String, _ selectors: [String]) -> String {
    let lines =
      [
        "import CoreData", "",
        "/// Functions that mapping models call: `FUNCTION(CAST(\"\(name)\", \"Class\"), …)`.",
        "enum \(SwiftName.escaped(name)): MigrationFunctions {",
      ]
      + answers(
        selectors, of: name, head: "static func invoke",
        otherwise: "throw \(error("\(name) has no function “\\(selector)”."))")
      + ["}", ""]
    return lines.joined(separator: "\n")
  }

  private static func answers(
    _ selectors: [String], of name: String, head: String, otherwise: String
  ) -> [String] {
    [
      "  \(head)(_ selector: String, with arguments: [Any?]) throws -> Any? {", "    switch selector {",
      "    case " + selectors.map(SwiftName.literal).joined(separator: ", ") + ":",
      "      throw \(error("\(name): write the answer to “\\(selector)”."))",
      "    default:", "      \(otherwise)", "    }", "  }",
    ]
  }

  /// An error in Swift; `text` may have interpolations.
  private static func error(_ text: String) -> String {
    "CocoaError(.featureUnsupported, userInfo: [NSLocalizedDescriptionKey: \"\(text)\"])"
  }

  /// A name, such as that of a file or an entity, in one line of a comment.
  private static func comment(_ name: String) -> String { PlainText.of(name) }
}
