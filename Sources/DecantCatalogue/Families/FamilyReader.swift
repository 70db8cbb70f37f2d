internal import DecantMapping
internal import DecantModel
internal import FileNames
package import Foundation

/// Reads the folder of one family.
///
/// Symbolic links are followed, because the administrator controls the catalogue.
package struct FamilyReader {
  let name: String
  /// The family's folder, or a model bundle in it.
  let place: FamilyPlace

  package init(name: String, folder: URL) {
    self.name = name
    place = FamilyPlace(folder)
  }

  package func state() -> FamilyState {
    let (family, faults) = survey()
    if let family, faults.isEmpty { return .ready(family) }
    let all = faults.isEmpty ? [.unreadable(path: place.url.path)] : faults
    let (models, unread) = family.map { ($0, []) } ?? readableModels()
    return .broken(
      BrokenFamily(
        name: name, path: place.url.path, faults: all, models: models,
        unread: models == nil ? all.flatMap(\.sentences) : unread))
  }

  /// The versions whose models can be read: enough to recognise stores.
  private func readableModels() -> (Family?, unread: [String]) {
    guard let entries = try? place.entries() else { return (nil, []) }
    let (models, unread) = FamilyModels.readable(entries)
    guard !models.bundles.isEmpty else { return (nil, []) }
    var faults: [FamilyError] = []
    return (family(of: models, FamilyConfiguration(), [], [], &faults), unread.map { "\($0)" })
  }

  /// Reads the readable part of a folder, with every fault.
  ///
  /// - Returns: No family if the models can't be read. With faults, the family lacks the faulty parts.
  package func survey() -> (family: Family?, faults: [FamilyError]) {
    let (family, faults) = surveyed()
    return (family, faults.flatMap(whole))
  }

  private func surveyed() -> (family: Family?, faults: [FamilyError]) {
    var faults: [FamilyError] = []
    let entries: [URL]
    do throws(FamilyError) {
      entries = try place.entries()
    } catch {
      return (nil, [error])
    }
    let references = referenceStores(entries, &faults)
    let models = FamilyModels.read(entries, referenceStores: references, folder: place.url, faults: &faults)
    let settings = entries.first { $0.lastPathComponent == "family.json5" }
    var configuration = FamilyConfiguration()
    if let settings {
      let survey = FamilyConfiguration.survey(at: settings)
      configuration = survey.configuration
      faults += survey.faults
    }
    let files = mappingModels(entries, &faults)
    guard let models else { return (nil, faults) }
    let foreign = place.foreign(
      files, to: models.bundles, configuration.acceptStaleHashes.meant(among: files.map(\.name)), &faults)
    let own = files.filter { !foreign.contains($0) }
    var family = family(of: models, configuration, references, own, &faults)
    family.notes = place.notes(entries, foreign: foreign)
    family.warnings += place.warnings
    if let settings {
      // `family.json5` may name an unreadable mapping model, so the names come from the entries, too.
      let names = entries.compactMap { url in
        MappingModelFile.endings.first { url.lastPathComponent.hasSuffix($0) }.map {
          String(url.lastPathComponent.dropLast($0.count))
        }
      }
      let check = FamilyConfigurationCheck(
        family: family, path: settings.path,
        files: files.map(\.name)
          + names.filter { name in
            !files.contains { FileName($0.name) == FileName(name) }
          })
      faults += check.faults()
      if faults.isEmpty { family.warnings += check.warnings() }
    }
    return (family, faults)
  }

  private func family(
    of models: FamilyModels, _ configuration: FamilyConfiguration, _ references: [URL],
    _ files: [MappingModelFile], _ faults: inout [FamilyError]
  ) -> Family {
    let bundles = models.bundles
    let versions = Self.versions(of: bundles)
    var warnings = models.warnings
    let resolver = MappingPairResolver(
      versions: versions, order: Self.meant(configuration.order, files),
      staleHashes: configuration.acceptStaleHashes.meant(among: files.map(\.name)))
    let mappingModels = resolver.survey(files, warnings: &warnings, faults: &faults)
    return Family(
      name: name, place: place, configuration: configuration.meant(among: versions), versions: versions,
      mappingModels: mappingModels, referenceStores: references, warnings: warnings,
      currentVersionName: bundles.count == 1 ? bundles[0].currentVersionName : nil,
      currentVersionNames: Dictionary(
        bundles.compactMap { bundle in
          bundle.currentVersionName.map { (FileName(bundle.name), "\(bundle.name)#\($0)") }
        },
        uniquingKeysWith: { first, _ in first }),
      singleBundles: Set(bundles.filter { $0.versions.count == 1 }.map { FileName($0.name) }),
      missingCurrentNames: Dictionary(
        bundles.compactMap { bundle in bundle.missingCurrentName.map { (FileName(bundle.name), $0) } },
        uniquingKeysWith: { first, _ in first }),
      renameHistory: RenameHistory(of: versions.flatMap { $0.variants.map(\.model) }))
  }

  private func mappingModels(_ entries: [URL], _ faults: inout [FamilyError]) -> [MappingModelFile] {
    var files: [MappingModelFile] = []
    for url in entries where MappingModelFile.endings.contains(where: { url.lastPathComponent.hasSuffix($0) }) {
      do throws(MappingModelError) {
        files.append(try MappingModelFile.read(at: url))
      } catch {
        faults.append(.mappingModel(error))
      }
    }
    // A compiled file beside its source is the same mapping model, so it is left out.
    let sources = Set(files.filter { !$0.path.hasSuffix(".cdm") }.map { FileName($0.name) })
    return files.filter { !$0.path.hasSuffix(".cdm") || !sources.contains(FileName($0.name)) }
  }

  /// Adds the faults of a mapping model's content, because only the versions of the mapping model were read before.
  private func whole(_ fault: FamilyError) -> [FamilyError] {
    switch fault {
    case .mappingModel(let error): [.mappingModel(Self.contentError(error.path) ?? error)]
    case .mappingModelVersions(let path, _, _, _):
      [fault] + (Self.contentError(path).map { [.mappingModel($0)] } ?? [])
    default: [fault]
    }
  }

  static func contentError(_ path: String) -> MappingModelError? {
    let file = URL(fileURLWithPath: path)
    // The path may be that of the file inside an `.xcmappingmodel` folder.
    let isWithin = file.deletingLastPathComponent().pathExtension == "xcmappingmodel"
    do throws(MappingModelError) {
      _ = try MappingModelReading.read(at: isWithin ? file.deletingLastPathComponent() : file)
      return nil
    } catch {
      return error
    }
  }

  /// The reference stores; a `reference` folder that can't be listed is a fault.
  private func referenceStores(_ entries: [URL], _ faults: inout [FamilyError]) -> [URL] {
    guard let folder = entries.first(where: { $0.lastPathComponent == "reference" }),
      Self.isFolder(folder) == true
    else { return [] }
    do throws(FamilyError) {
      return try FamilyPlace.contents(of: folder).filter {
        Self.isFolder($0) == false && StoreNames.sibling(FileName($0.lastPathComponent)) == nil
      }
    } catch {
      faults.append(error)
      return []
    }
  }

  private static func isFolder(_ url: URL) -> Bool? {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) ? isFolder.boolValue : nil
  }

  private static func meant(_ stated: [String], _ files: [MappingModelFile]) -> [String] {
    stated.map { FileName.meant(by: $0, among: files.map(\.name)) ?? $0 }
  }

  /// The versions of all bundles: one for each set of hashes.
  ///
  /// The name includes the bundle if names collide.
  static func versions(of bundles: [ModelBundle]) -> [FamilyVersion] {
    let counts = Dictionary(grouping: bundles.flatMap(\.versions)) { FileName($0.name) }.mapValues(\.count)
    let currents = Dictionary(
      bundles.map { (FileName($0.name), $0.currentVersionName.map { FileName($0) }) },
      uniquingKeysWith: { first, _ in first })
    let variants = bundles.flatMap { bundle in
      bundle.versions.map { version in
        let isShared = (counts[FileName(version.name)] ?? 0) > 1
        return FamilyVersion.Variant(
          name: isShared ? "\(bundle.name)#\(version.name)" : version.name, bundle: bundle.name,
          version: version.name, path: version.path, model: version.model)
      }
    }
    return FamilyVersion.grouped(variants) { FileName($0.version) == currents[FileName($0.bundle)] }
  }
}
