internal import PredicateFormat

extension EditorMappingReader {
  /// Reads the rows of attributes and relationships (docs/formats/mapping-models.md 1.1).
  mutating func takeRows(
    of object: EditorDocument.Object, into mapping: inout EntityMappingDraft, _ place: String
  ) throws(MappingModelError) {
    for row in rows("attributemappings", of: object) {
      guard let name = finished(row, mapping, place) else { continue }
      if let data = row.data("valueexpressiondata") {
        mapping.attributes[name] = .expression(try expression(data, "\(place), attribute “\(name)”"))
      } else {
        mapping.attributes[name] = .rule
      }
    }
    for row in rows("relationshipmappings", of: object) {
      guard let name = finished(row, mapping, place) else { continue }
      mapping.relationships[name] = try relationship(row, "\(place), relationship “\(name)”")
    }
  }

  /// The row's property name; `nil` with a warning if it is missing, or if an earlier row has it.
  private mutating func finished(
    _ row: EditorDocument.Object, _ mapping: EntityMappingDraft, _ place: String
  ) -> String? {
    guard let name = row.text("name") else {
      warnings.nameless += 1
      return nil
    }
    guard mapping.attributes[name] == nil, mapping.relationships[name] == nil else {
      warnings.others.append("\(place): “\(name)” has several rows; the first one counts")
      return nil
    }
    return name
  }

  private func relationship(
    _ row: EditorDocument.Object, _ place: String
  ) throws(MappingModelError) -> EntityMappingDraft.RelationshipValue {
    if let data = row.data("valueexpressiondata") { return .expression(try expression(data, place)) }
    let keyPath = try row.text("sourcekeypath").map { (text) throws(MappingModelError) in
      try ExpressionText.expression(text, path: path, place: "\(place), key path")
    }
    let mapping = row.text("sourcemappingname").map(EntityMappingDraft.MappingName.named) ?? .rule
    return .rule(path: keyPath, mapping: mapping)
  }
}
