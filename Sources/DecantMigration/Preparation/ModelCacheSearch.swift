internal import DecantCatalogue
internal import DecantModel
internal import DecantStore
internal import Foundation

/// Finds the content of a destination's `Z_MODELCACHE`.
///
/// It is the version's compiled model, deflated (docs/formats/core-data-sqlite.md 6.4).
///
/// A wrong model there could become the source of an inferred migration. A missing model is harmless. So a found model
/// must have the version's hashes, and give the same tables and indexes as are written.
struct ModelCacheSearch {
  let store: SourceStore
  let source: FamilyVersion
  let references: ReferenceStores
  /// The key under which the family's memory keeps the result for this store and path.
  private let question: FamilyQuestion.Steps?
  /// Reasons why a model that was found isn't used.
  private(set) var warnings: [String] = []
  /// Reasons why the new store lacks a model that the source had.
  private(set) var notes: [String] = []

  init(
    store: SourceStore, source: FamilyVersion, references: ReferenceStores,
    question: FamilyQuestion.Steps? = nil
  ) {
    self.store = store
    self.question = question
    self.source = source
    self.references = references
  }

  /// The row's content.
  ///
  /// The sources, in order: the store itself if it stays at its version, a `.mom` in the family's folder, a reference
  /// store.
  mutating func content(for version: FamilyVersion, layout: StoreLayout) -> Data? {
    guard layout.framework.writesModelCache else { return nil }
    if version.hashes == source.hashes, let own = ownContent() { return own }
    let found = references.family.remembered(question.map(FamilyQuestion.ModelCache.init)) {
      search(for: version, layout: layout)
    }
    if found.content == nil {
      warnings += found.unfit.map {
        "\($0). So the new store has no copy of its model (Z_MODELCACHE is empty)."
      }
      if found.unfit.isEmpty, warnings.isEmpty, store.keepsModelCache {
        notes.append(
          "The catalogue has no compiled model (.momd or .mom) of “\(version.name)”. So the new store has no copy of its "
            + "model (Z_MODELCACHE is empty), although the old store had one. Core Data can still open the new store."
        )
      }
    }
    return found.content
  }

  /// The models found in the family's folder.
  private struct Found: Sendable {
    var content: Data?
    /// Reasons why files don't fit.
    var unfit: [String] = []
  }

  private func search(for version: FamilyVersion, layout: StoreLayout) -> Found {
    var found = Found()
    for file in files(of: version) {
      do {
        let compiled = try ModelCache.content(ofCompiledModelAt: file)
        guard compiled.model.entityVersionHashes == version.hashes else { continue }
        if Self.fits(compiled.model, layout) {
          found.content = compiled.content
          return found
        }
        found.unfit.append(
          "\(file.path) has the version hashes of “\(version.name)”, but its tables or indexes differ from those of the new store"
        )
      } catch {
        if isNamed(file, after: version) { found.unfit.append("\(error)") }
      }
    }
    found.content =
      references.first(of: version) { reference -> Data? in
        guard let cache = try? reference.ownModelCache(), Self.fits(cache.reading.model, layout) else {
          return nil
        }
        return cache.content
      }.answer
    return found
  }

  private mutating func ownContent() -> Data? {
    do {
      return try store.ownModelCache()?.content
    } catch {
      warnings.append("The store's own model is not copied: \(error).")
      return nil
    }
  }

  /// Whether a model gives the same statements, in any order.
  ///
  /// A store's list of indexes may lack a few (docs/formats/core-data-sqlite.md 5.3). So the statements are compared
  /// both with and without this list.
  private static func fits(_ model: ManagedObjectModel, _ layout: StoreLayout) -> Bool {
    guard let wanted = try? SchemaStatements(layout) else { return false }
    return [model, model.withoutListedIndexes].contains { model in
      guard let model,
        let other = try? StoreLayout(model, framework: layout.framework, evidence: layout.evidence),
        let found = try? SchemaStatements(other)
      else { return false }
      return Set(found.all) == Set(wanted.all)
    }
  }

  // MARK: Files

  private func isNamed(_ file: URL, after version: FamilyVersion) -> Bool {
    version.allNames.contains(file.deletingPathExtension().lastPathComponent)
  }

  /// The family's compiled models that may belong to a version.
  ///
  /// First come the files from which the version was read, then files with its name, then the others.
  private func files(of version: FamilyVersion) -> [URL] {
    let own = version.variants.map { URL(fileURLWithPath: $0.path) }.filter { $0.pathExtension == "mom" }
    let all = compiledFiles(of: version).filter { file in !own.contains { $0.path == file.path } }
    return own + all.filter { isNamed($0, after: version) } + all.filter { !isNamed($0, after: version) }
  }

  private func compiledFiles(of version: FamilyVersion) -> [URL] {
    // A family in memory has no folder.
    guard !references.family.isInMemory else { return [] }
    let folder = DiskWatch.resolved(references.family.folder)
    let entries = Self.contents(of: folder)
    return entries.filter { $0.pathExtension == "mom" }
      + entries.filter { $0.pathExtension == "momd" }.flatMap {
        files(in: DiskWatch.resolved($0), version)
      }
  }

  /// The models of a bundle, except those that its `VersionInfo.plist` assigns to another version.
  private func files(in bundle: URL, _ version: FamilyVersion) -> [URL] {
    let file = bundle.appendingPathComponent("VersionInfo.plist").path
    let info = (try? DiskRead.contents(of: file, limit: CompiledVersionInfo.largest))
      .flatMap { try? CompiledVersionInfo.read($0) }
    return Self.contents(of: bundle).filter { file in
      let stated = info?.versionHashes[file.deletingPathExtension().lastPathComponent]
      return file.pathExtension == "mom" && (stated == nil || stated == version.hashes)
    }
  }

  private static func contents(of folder: URL) -> [URL] {
    let names = DiskRead.names(in: folder.path) ?? []
    return names.sorted(by: NameOrder.codePoints).map { folder.appendingPathComponent($0) }
  }
}
