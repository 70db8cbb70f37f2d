internal import DecantModel
internal import FileNames

/// The configuration to which a family is reduced, and the versions that had to be left out.
package struct FamilyPart: Sendable {
  let configuration: String
  /// The versions in which the configuration is missing or incomplete, by name, with the reason.
  fileprivate(set) var without: [FileName: String] = [:]
  /// The names of mapping models from or to versions that were left out.
  ///
  /// It isn't known whether an inferred step would bypass such a mapping model.
  fileprivate(set) var unplacedMappingModels: [String] = []

  /// - Throws: `FamilyError.notInConfiguration` if the version of that name was left out.
  package func check(_ version: String, family: String) throws(FamilyError) {
    guard let problem = without[FileName(version)] else { return }
    throw .notInConfiguration(family: family, version: version, problem: problem)
  }
}

extension Family {
  /// The names of configurations whose members have exactly these hashes in some version, in name order.
  func configurations(with hashes: EntityVersionHashes) -> [String] {
    guard !hashes.isEmpty else { return [] }
    var names: Set<String> = []
    for version in versions where hashes.allSatisfy({ version.hashes[$0.key] == $0.value }) {
      for variant in version.variants {
        names.formUnion(
          variant.model.configurations.filter { Set($0.entityNames) == Set(hashes.keys) }.map(\.name))
      }
    }
    return names.sorted(by: NameOrder.codePoints)
  }

  /// The family reduced to a configuration's members, as `isConfiguration(withName:compatibleWithStoreMetadata:)`
  /// compares them.
  ///
  /// Each version that has the complete configuration stays, with the configuration's entities alone. A mapping model
  /// stays if both of its versions stay and differ in the configuration.
  package func seen(through configuration: String) -> Family {
    var part = FamilyPart(configuration: configuration)
    var variants: [FamilyVersion.Variant] = []
    for variant in versions.flatMap(\.variants) {
      do throws(ModelError) {
        if let model = try variant.model.configured(configuration) {
          variants.append(
            FamilyVersion.Variant(
              name: "\(variant.name), configuration \(configuration)", bundle: variant.bundle,
              version: variant.version, path: variant.path, model: model, wholeName: variant.wholeName))
        } else {
          part.note(variant, "it has no configuration “\(configuration)”")
        }
      } catch {
        part.note(variant, "its configuration “\(configuration)” is incomplete: \(error)")
      }
    }
    var family = self
    family.versions = FamilyVersion.grouped(variants, origin: .configuration(configuration)) {
      currentVersionNames[FileName($0.bundle)].map { FileName($0) } == FileName("\($0.bundle)#\($0.version)")
    }
    let places = versions.map { version in
      family.versions.filter { part in
        part.variants.contains { one in
          version.variants.contains { FileName($0.name) == FileName(one.wholeName) }
        }
      }.map(\.index)
    }
    family.mappingModels = []
    for model in mappingModels {
      let (sources, destinations) = (places[model.source], places[model.destination])
      if sources.isEmpty || destinations.isEmpty { part.unplacedMappingModels.append(model.file.name) }
      for source in sources {
        for destination in destinations where destination != source {
          family.mappingModels.append(
            FamilyMappingModel(file: model.file, source: source, destination: destination, order: model.order))
        }
      }
    }
    family.part = part
    return family
  }
}

extension FamilyPart {
  fileprivate mutating func note(_ variant: FamilyVersion.Variant, _ reason: String) {
    for name in [variant.name, "\(variant.bundle)#\(variant.version)"] { without[FileName(name)] = reason }
  }
}
