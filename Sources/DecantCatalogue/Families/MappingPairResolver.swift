internal import DecantMapping
internal import DecantModel
internal import FileNames
internal import Foundation

/// Finds the pair of versions for each mapping model of a family.
struct MappingPairResolver {
  let versions: [FamilyVersion]
  /// Names of mapping models in the stated order of their passes.
  let order: [String]
  /// Which mapping models may have hashes that fit no pair of versions.
  let staleHashes: FamilyConfiguration.StaleHashes

  /// Resolves files; a file between two names of one version is left out with a warning.
  ///
  /// - Throws: `FamilyError.mappingModelVersions` for a file whose pair isn't known, because an inferred step could
  ///   bypass the file.
  func resolve(
    _ files: [MappingModelFile], warnings: inout [String]
  ) throws(FamilyError) -> [FamilyMappingModel] {
    var faults: [FamilyError] = []
    let models = survey(files, warnings: &warnings, faults: &faults)
    if let first = faults.first { throw first }
    return models
  }

  /// Resolves the files like `resolve`; a file whose pair isn't known gives a fault.
  func survey(
    _ files: [MappingModelFile], warnings: inout [String], faults: inout [FamilyError]
  ) -> [FamilyMappingModel] {
    var models: [FamilyMappingModel] = []
    for file in files {
      let source, destination: Int
      do throws(FamilyError) {
        (source, destination) = try pair(of: file, warnings: &warnings)
      } catch {
        faults.append(error)
        continue
      }
      guard source != destination else {
        warnings.append(
          "\(file.path) is not used: it leads from “\(versions[source].names.joined(separator: "” or “"))” to the same "
            + "version")
        continue
      }
      models.append(
        FamilyMappingModel(
          file: file, source: source, destination: destination,
          order: order.firstIndex { FileName($0) == FileName(file.name) } ?? file.order))
    }
    return models.sorted { left, right in
      let (leftOrder, rightOrder) = (left.order ?? .max, right.order ?? .max)
      return leftOrder == rightOrder
        ? VersionName.displayOrder(left.file.name, right.file.name) : leftOrder < rightOrder
    }
  }

  private func pair(of file: MappingModelFile, warnings: inout [String]) throws(FamilyError) -> (Int, Int) {
    switch file.endpoints {
    case .unknown: throw fault(file, "it doesn't say which versions it is for")
    case .names(let source, let destination):
      // If this mapping model were left out, an inferred step could replace it. So this is a fault, not a warning.
      if FileName(source) == FileName(destination) {
        throw fault(file, "its source and its destination are both “\(source)”", key: "destination")
      }
      guard let from = index(named: source) else { throw fault(file, noVersion: source, key: "source") }
      guard let to = index(named: destination) else {
        throw fault(file, noVersion: destination, key: "destination")
      }
      return (from, to)
    case .modelFolders(let source, let destination):
      return try pair(source, destination, of: file, warnings: &warnings)
    case .hashes(let source, let destination):
      return try pair(source, destination, of: file, warnings: &warnings)
    }
  }

  private func fault(_ file: MappingModelFile, noVersion name: String, key: String? = nil) -> FamilyError {
    let near = VersionName.near(name, among: versions.flatMap(\.names))
    return fault(
      file, "the family has no version “\(name)”\(near.map { "; perhaps “\($0)” is meant" } ?? "")", key: key)
  }

  private func fault(_ file: MappingModelFile, _ problem: String, key: String? = nil) -> FamilyError {
    .mappingModelVersions(path: file.path, problem: problem, versions: versions.flatMap(\.names), key: key)
  }

  // MARK: Names and folders

  private func index(named name: String) -> Int? {
    FamilyVersion.named(name, among: versions)?.index
  }

  private func pair(
    _ source: MappingModelFile.ModelFolder, _ destination: MappingModelFile.ModelFolder,
    of file: MappingModelFile, warnings: inout [String]
  ) throws(FamilyError) -> (Int, Int) {
    guard let from = index(of: source) else { throw fault(file, noVersion: "\(source)") }
    if let to = index(of: destination) { return (from, to) }
    guard let to = onlyFit(for: file.destinationProperties, besides: from) else {
      throw fault(file, noVersion: "\(destination)")
    }
    warnings.append(
      "\(file.path) names the version “\(destination)”, which the family doesn't have; it is used for "
        + "“\(versions[to].name)”, the only other version in which the mapped entities have exactly the mapped "
        + "properties")
    return (from, to)
  }

  private func index(of folder: MappingModelFile.ModelFolder) -> Int? {
    let named = versions.filter { version in version.variants.contains { $0.version == folder.version } }
    let ofBundle = named.filter { version in
      version.variants.contains { $0.version == folder.version && $0.bundle == folder.bundle }
    }
    // If several names look alike, the name with exactly these bytes is meant.
    let exact = ofBundle.first { version in
      version.variants.contains {
        FileName($0.version) == FileName(folder.version)
          && FileName($0.bundle) == folder.bundle.map { FileName($0) }
      }
    }
    return (exact ?? ofBundle.first ?? (named.count == 1 ? named[0] : nil))?.index
  }

  /// The only version besides `source` in which every listed entity has exactly the listed stored properties.
  private func onlyFit(for listed: [String: Set<String>], besides source: Int) -> Int? {
    guard !listed.isEmpty else { return nil }
    let fits = versions.filter { version in
      version.index != source
        && version.variants.contains { variant in
          listed.allSatisfy { entity, properties in
            variant.model.entity(named: entity) != nil
              && variant.model.storedPropertyNames(of: entity) == properties
          }
        }
    }
    return fits.count == 1 ? fits[0].index : nil
  }

  // MARK: Hashes

  private func pair(
    _ source: EntityVersionHashes, _ destination: EntityVersionHashes, of file: MappingModelFile,
    warnings: inout [String]
  ) throws(FamilyError) -> (Int, Int) {
    let from = versions.filter { version in source.allSatisfy { version.hashes[$0.key] == $0.value } }
    let to = versions.filter { version in destination.allSatisfy { version.hashes[$0.key] == $0.value } }
    let pairs = from.flatMap { from in to.map { (from.index, $0.index) } }.filter { $0.0 != $0.1 }
    if pairs.count == 1 { return pairs[0] }
    guard pairs.isEmpty else {
      throw fault(file, "its entity hashes fit \(pairs.count) pairs of versions")
    }
    let match = StaleHashMatch(source, destination, listed: file.destinationProperties, in: versions)
    guard staleHashes.accepts(file.name), let pair = match.pair else {
      throw fault(
        file,
        "no two versions of the family have the entity hashes that it names"
          + match.words(in: versions, file: file.name))
    }
    warnings.append(
      "\(file.path) names entity hashes that no two versions of the family have; it is used for "
        + "“\(versions[pair.source].name)” to “\(versions[pair.destination].name)”, because no other two versions with "
        + "its entities have more of its hashes (acceptStaleHashes)")
    return (pair.source, pair.destination)
  }
}

extension ManagedObjectModel {
  /// The names of the stored properties of an entity, inherited ones included.
  func storedPropertyNames(of entity: String) -> Set<String> {
    Set(attributes(of: entity).filter { !$0.isTransient }.map(\.name))
      .union(relationships(of: entity).filter { !$0.isTransient }.map(\.name))
  }
}
