public import DecantModel
internal import PredicateFormat

/// Writes a mapping model as text (`NAME.mapping.json5`).
///
/// The text reads back to a mapping model with the same effect, apart from parts that no text can state. A comment
/// names each of these parts. Parts that the rules fill in, and parts without effect, aren't written.
public struct MappingModelText {
  let mapping: MappingModel
  let rules: WritingRules?
  /// Source entities whose objects the text explicitly removes.
  let removed: [String]
  /// The changes that a person has to decide about.
  let open: OpenChanges
  static let width = 100

  /// The text of a mapping model, with a line feed at its end.
  ///
  /// - Parameters:
  ///   - mapping: The mapping model, compiled.
  ///   - source: The source version. Without both models the rules can't be applied, and everything is written.
  ///   - destination: The destination version.
  ///   - removed: Source entities that no entity mapping of the pair of versions takes: a text has to remove them
  ///     explicitly.
  public static func text(
    of mapping: MappingModel, from source: ManagedObjectModel?, to destination: ManagedObjectModel?,
    removing removed: [String] = []
  ) -> String {
    text(of: mapping, from: source, to: destination, removing: removed, open: OpenChanges())
  }

  /// - Parameter open: The changes that a person has to decide about: comments with lines to choose from.
  static func text(
    of mapping: MappingModel, from source: ManagedObjectModel?, to destination: ManagedObjectModel?,
    removing removed: [String] = [], open: OpenChanges
  ) -> String {
    var rules: WritingRules?
    if let source, let destination {
      rules = WritingRules(mapping, source: source, destination: destination)
    }
    return Self(mapping: mapping, rules: rules, removed: removed, open: open).lines.joined(separator: "\n")
      + "\n"
  }

  private var lines: [String] {
    var lines = [
      rules == nil
        ? "// Everything is written out, because without the models the rules can't be applied."
        : "// Attributes and relationships that aren't named are mapped by renaming identifier and name."
    ]
    if !open.all.isEmpty {
      lines += JSON5Text.comments(
        "If no expression can make a value, write a policy: policy: \"CLASS\" in an entity mapping names a class of a "
          + "worker (docs/policies.md).")
    }
    lines.append("{")
    lines.append("  name: \(JSON5Text.quoted(mapping.name)),")
    if mapping.sourceVersion == nil || mapping.destinationVersion == nil {
      lines.append("  // The file doesn't say which versions it is for: write their names here.")
    }
    lines.append("  source: \(JSON5Text.quoted(mapping.sourceVersion ?? "SOURCE")),")
    lines.append("  destination: \(JSON5Text.quoted(mapping.destinationVersion ?? "DESTINATION")),")
    if let order = mapping.order { lines.append("  order: \(order),") }
    if let validation = mapping.validation {
      lines.append("  validation: \(JSON5Text.quoted(validation.rawValue)),")
    }
    if mapping.acceptsStaleHashes { lines.append("  acceptStaleHashes: true,") }
    if let others = mapping.others { lines.append("  others: \(JSON5Text.quoted(others.rawValue)),") }
    guard !mapping.entityMappings.isEmpty || !removed.isEmpty || !open.entities.isEmpty else {
      return lines + ["  entityMappings: [],", "}"]
    }
    lines.append("  entityMappings: [")
    lines += open.entities.flatMap(\.lines).map { "    \($0)" }
    for (index, entity) in mapping.entityMappings.enumerated() {
      let changes = open.rows[index] ?? OpenChanges.Rows()
      guard !changes.isComment else { continue }
      let text = EntityMappingText(mapping: entity, index: index, rules: rules, open: changes)
      lines += text.lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }.map {
        "    \($0)"
      }
    }
    if !removed.isEmpty {
      lines.append("    // No entity mapping takes objects of these entities. A text must say so.")
      lines += removed.map { "    { remove: \(JSON5Text.quoted($0)) }," }
    }
    return lines + ["  ],", "}"]
  }
}
