package import DecantCatalogue
package import DecantModel
package import Foundation

/// A catalogue in a temporary folder.
package struct CatalogueFolder {
  package let url: URL

  /// Calls the body with a new catalogue and removes it afterwards.
  package static func with<Result>(_ body: (CatalogueFolder) throws -> Result) throws -> Result {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("decant-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(CatalogueFolder(url: url))
  }

  /// Writes a text to a path in the catalogue, and makes missing folders.
  package func write(_ text: String, to path: String) throws {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Writes model versions in a bundle, the last one current.
  package func write(_ versions: [(name: String, entities: [Entity])], bundle: String) throws {
    for version in versions {
      try write(Self.contents(version.entities), to: "\(bundle)/\(version.name).xcdatamodel/contents")
    }
    if let current = versions.last?.name { try writeCurrent(current, bundle: bundle) }
  }

  /// Writes one version with configurations.
  package func write(
    _ entities: [Entity], configurations: [(String, [String])], named name: String, bundle: String
  ) throws {
    let members = configurations.map { name, members in
      "<configuration name=\"\(name)\">"
        + members.map { "<memberEntity name=\"\($0)\"/>" }.joined() + "</configuration>"
    }.joined()
    try write(
      Self.contents(entities).replacing("</model>", with: members + "</model>"),
      to: "\(bundle)/\(name).xcdatamodel/contents")
  }

  package func writeCurrent(_ version: String, bundle: String) throws {
    try write(
      "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>\(version).xcdatamodel</string></dict></plist>",
      to: "\(bundle)/.xccurrentversion")
  }

  package func writeMapping(_ path: String, from source: String, to destination: String, order: Int? = nil)
    throws
  {
    let suffix = order.map { ", order: \($0)" } ?? ""
    try write(
      "{ source: \"\(source)\", destination: \"\(destination)\"\(suffix) }", to: "\(path).mapping.json5")
  }

  package func read() throws -> Catalogue { try Catalogue.read(at: url) }

  /// The family with that name.
  ///
  /// - Throws: The first fault of a broken family.
  package func family(_ name: String) throws -> Family {
    let state = try read().states.first { $0.name == name }
    switch state {
    case .ready(let family)?: return family
    case .broken(let broken)?: throw broken.faults[0]
    case nil: throw CatalogueError.notFound(path: name)
    }
  }

  /// The first fault of a broken family, without the catalogue's path; `nil` for a usable family.
  package func fault(_ name: String) throws -> String? {
    try read().brokenFamilies.first { $0.name == name }?.faults.first?.description
      .replacingOccurrences(of: url.path + "/", with: "")
  }

  /// A model file with these entities; it has only the parts that these tests need.
  package static func contents(_ entities: [Entity]) -> String {
    func flag(_ name: String, _ isSet: Bool) -> String { isSet ? " \(name)=\"YES\"" : "" }
    func text(_ name: String, _ value: String?) -> String { value.map { " \(name)=\"\($0)\"" } ?? "" }
    let body = entities.map { entity in
      let attributes = entity.attributes.map { attribute in
        "<attribute name=\"\(attribute.name)\" attributeType=\"\(attribute.type.name)\""
          + flag("optional", attribute.isOptional) + text("elementID", attribute.renamingIdentifier) + "/>"
      }
      let relationships = entity.relationships.map { relationship in
        "<relationship name=\"\(relationship.name)\" destinationEntity=\"\(relationship.destinationEntityName)\""
          + flag("optional", relationship.isOptional) + flag("toMany", relationship.isToMany)
          + (relationship.isToMany ? "" : " maxCount=\"1\"") + "/>"
      }
      return "<entity name=\"\(entity.name)\"" + text("parentEntity", entity.superentityName)
        + text("elementID", entity.renamingIdentifier) + ">\((attributes + relationships).joined())</entity>"
    }
    return
      "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">\(body.joined())</model>"
  }
}

/// One entity with strings: `name` is optional, `name!` is required, `name<older` has a renaming identifier.
package func note(_ properties: String..., named name: String = "Note") -> [Entity] {
  let attributes = properties.map { text in
    let parts = text.split(separator: "<").map(String.init)
    let isRequired = parts[0].hasSuffix("!")
    return Attribute(
      name: isRequired ? String(parts[0].dropLast()) : parts[0], type: .string, isOptional: !isRequired,
      renamingIdentifier: parts.count > 1 ? parts[1] : nil)
  }
  return [Entity(name: name, attributes: attributes)]
}
