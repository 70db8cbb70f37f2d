internal import Foundation

extension MappingModelFile {
  /// Reads the versions and the names of the mapped properties from an `xcmapping.xml`
  /// (docs/formats/mapping-models.md 1).
  mutating func takeSource(_ document: EditorDocument) {
    if let source = document.root.text("sourcemodelpath").flatMap(ModelFolder.init(path:)),
      let destination = document.root.text("destinationmodelpath").flatMap(ModelFolder.init(path:))
    {
      endpoints = .modelFolders(source: source, destination: destination)
    }
    // Only rows that an entity mapping of the mapping model refers to are read. Files also have rows without a
    // reference (docs/formats/mapping-models.md 1.1).
    var seen: Set<String> = []
    for mapping in document.objects("entitymappings", of: document.root) where seen.insert(mapping.id).inserted
    {
      guard let entity = mapping.text("destinationname") else { continue }
      let rows =
        document.objects("attributemappings", of: mapping)
        + document.objects("relationshipmappings", of: mapping)
      destinationProperties[entity, default: []].formUnion(rows.compactMap { $0.text("name") })
    }
  }
}
