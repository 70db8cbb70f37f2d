internal import DecantModel
internal import Foundation
internal import KeyedArchive

extension MappingModelFile {
  /// Reads the entities' version hashes and the names of the mapped properties from a `.cdm`
  /// (docs/formats/mapping-models.md 2).
  mutating func takeCompiled(_ data: Data, path: String) throws(MappingModelError) {
    var source: EntityVersionHashes = [:]
    var destination: EntityVersionHashes = [:]
    var properties: [String: Set<String>] = [:]
    do throws(ArchiveError) {
      let root = try Archive(parsing: data).root()
      var allowance = ArchiveAllowance()
      guard let mappings = try root.list("NSEntityMappings", &allowance) else {
        throw ArchiveError.missing(className: root.className ?? "object", key: "NSEntityMappings")
      }
      for mapping in mappings {
        try Self.take("NSSource", of: mapping, into: &source)
        try Self.take("NSDestination", of: mapping, into: &destination)
        guard let entity = try mapping.string("NSDestinationEntityName") else { continue }
        for key in ["NSAttributeMappings", "NSRelationshipMappings"] {
          for row in try mapping.list(key, &allowance) ?? [] {
            if let name = try row.string("NSDestinationPropertyName") {
              properties[entity, default: []].insert(name)
            }
          }
        }
      }
    } catch {
      throw .malformed(path: path, reason: error.description)
    }
    endpoints = .hashes(source: source, destination: destination)
    destinationProperties = properties
  }

  private static func take(
    _ side: String, of mapping: ArchiveNode, into hashes: inout EntityVersionHashes
  ) throws(ArchiveError) {
    guard let name = try mapping.string("\(side)EntityName"),
      let hash = try mapping.member("\(side)EntityVersionHash")?.data.flatMap(VersionHash.init)
    else { return }
    hashes[name] = hash
  }
}
