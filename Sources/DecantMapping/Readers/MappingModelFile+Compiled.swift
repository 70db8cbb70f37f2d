internal import DecantModel
internal import Foundation
internal import KeyedArchive

extension MappingModelFile {
  /// Takes the entities' version hashes out of a `.cdm` (mapping-models.md 2).
  ///
  /// The archive is walked as plain values: three levels down, so that references in a circle lead nowhere.
  mutating func takeCompiled(_ data: Data, path: String) throws(MappingModelError) {
    let list: PropertyList
    do {
      list = try PropertyList(parsing: data)
    } catch {
      throw .malformed(path: path, reason: error.description)
    }
    guard let objects = list["$objects"]?.array,
      let model = Self.object(list["$top"]?["root"], in: objects),
      let mappings = Self.object(model["NSEntityMappings"], in: objects)?["NS.objects"]?.array
    else { throw .malformed(path: path, reason: "it is not a keyed archive of a mapping model") }
    var source: EntityVersionHashes = [:]
    var destination: EntityVersionHashes = [:]
    for reference in mappings {
      guard let mapping = Self.object(reference, in: objects) else {
        throw .malformed(path: path, reason: "it lists an entity mapping that isn't there")
      }
      Self.take("NSSource", of: mapping, in: objects, into: &source)
      Self.take("NSDestination", of: mapping, in: objects, into: &destination)
    }
    endpoints = .hashes(source: source, destination: destination)
  }

  private static func take(
    _ side: String, of mapping: PropertyList, in objects: [PropertyList], into hashes: inout EntityVersionHashes
  ) {
    guard let name = object(mapping["\(side)EntityName"], in: objects).flatMap(text),
      let hash = object(mapping["\(side)EntityVersionHash"], in: objects).flatMap(bytes).flatMap({
        VersionHash($0)
      })
    else { return }
    hashes[name] = hash
  }

  private static func text(_ value: PropertyList) -> String? { value.string ?? value["NS.string"]?.string }

  private static func bytes(_ value: PropertyList) -> Data? { value.data ?? value["NS.data"]?.data }

  /// The object that a reference leads to, or the value itself where it is none.
  private static func object(_ value: PropertyList?, in objects: [PropertyList]) -> PropertyList? {
    guard case .uid(let index)? = value else { return value }
    return objects.indices.contains(Int(index)) ? objects[Int(index)] : nil
  }
}
