internal import DecantCatalogue
internal import DecantModel
internal import DecantStore
internal import Foundation

/// Finds the content of a destination's `Z_MODELCACHE`.
///
/// This content is the version's compiled model, deflated (docs/formats/core-data-sqlite.md 6.4).
///
/// A wrong model there could become the source of an inferred migration. A missing model is harmless. So a model from a
/// file or reference store must have the version's hashes, and must give the same tables and indexes as the new store
/// has.
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
    store: SourceStore, source: FamilyVersion, references: ReferenceStores, question: FamilyQuestion.Steps?
  ) {
    self.store = store
    self.question = question
    self.source = source
    self.references = references
  }

  /// The content of the new store's `Z_MODELCACHE`; `nil` if the table stays empty, or if the new store has no such
  /// table.
  ///
  /// The sources, in order: the store itself if it stays at its version, a `.mom` of the family, a reference store.
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

  private struct Found: Sendable {
    var content: Data?
    /// Reasons why files and reference stores don't help.
    var unfit: [String] = []
  }

  private func search(for version: FamilyVersion, layout: StoreLayout) -> Found {
    var found = Found()
    for file in files(of: version, &found.unfit) {
      do {
        let compiled = try ModelCache.content(ofCompiledModelAt: file)
        guard compiled.model.entityVersionHashes == version.hashes else { continue }
        if try Self.fits(compiled.model, layout) {
          found.content = compiled.content
          return found
        }
        found.unfit.append(
          "\(file.path) has the version hashes of “\(version.name)”, but its tables or indexes differ from those of the new store"
        )
      } catch let error as LayoutError {
        found.unfit.append("\(file.path) can't be compared with the new store: \(error)")
      } catch {
        if isNamed(file, after: version) { found.unfit.append("\(error)") }
      }
    }
    found.content =
      references.first(of: version) { reference -> Data? in
        do {
          guard let cache = try reference.ownModelCache(), try Self.fits(cache.reading.model, layout) else {
            return nil
          }
          return cache.content
        } catch {
          found.unfit.append("The model in the reference store \(reference.path) can't be used: \(error)")
          return nil
        }
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

  /// Whether a model gives the same statements as the new store's layout, in any order.
  ///
  /// The list of indexes in a model may lack a few (docs/formats/core-data-sqlite.md 5.3). So the statements are
  /// compared both with and without this list.
  ///
  /// - Throws: `LayoutError` if a comparison can't be made, unless the other one finds equal statements.
  private static func fits(_ model: ManagedObjectModel, _ layout: StoreLayout) throws(LayoutError) -> Bool {
    let wanted = Set(try SchemaStatements(layout).all)
    var problem: LayoutError?
    for model in [model, model.withoutListedIndexes] {
      guard let model else { continue }
      do throws(LayoutError) {
        let other = try StoreLayout(model, framework: layout.framework, evidence: layout.evidence)
        if Set(try SchemaStatements(other).all) == wanted { return true }
      } catch {
        problem = problem ?? error
      }
    }
    if let problem { throw problem }
    return false
  }

  // MARK: Files

  private func isNamed(_ file: URL, after version: FamilyVersion) -> Bool {
    version.allNames.contains(file.deletingPathExtension().lastPathComponent)
  }

  /// The family's compiled models that may belong to a version.
  ///
  /// First come the files from which the version was read, then files with its name, then the others.
  ///
  /// - Parameter problems: Gets the files and folders that can't be read.
  private func files(of version: FamilyVersion, _ problems: inout [String]) -> [URL] {
    let own = version.variants.map { URL(fileURLWithPath: $0.path) }.filter { $0.pathExtension == "mom" }
    let all = compiledFiles(of: version, &problems).filter { file in !own.contains { $0.path == file.path } }
    return own + all.filter { isNamed($0, after: version) } + all.filter { !isNamed($0, after: version) }
  }

  private func compiledFiles(of version: FamilyVersion, _ problems: inout [String]) -> [URL] {
    // A family in memory has no folder.
    guard !references.family.isInMemory else { return [] }
    let folder = DiskWatch.resolved(references.family.folder)
    let entries = Self.contents(of: folder, &problems)
    return entries.filter { $0.pathExtension == "mom" }
      + entries.filter { $0.pathExtension == "momd" }.flatMap {
        files(in: DiskWatch.resolved($0), version, &problems)
      }
  }

  /// The models of a bundle, except those that its `VersionInfo.plist` assigns to another version.
  private func files(in bundle: URL, _ version: FamilyVersion, _ problems: inout [String]) -> [URL] {
    let file = bundle.appendingPathComponent("VersionInfo.plist").path
    var info: CompiledVersionInfo?
    do {
      info = try CompiledVersionInfo.read(try DiskRead.contents(of: file, limit: CompiledVersionInfo.largest))
    } catch FileProblem.system(ENOENT) {
      // Without the file, every model may be of the version.
    } catch let error as FileProblem {
      problems.append("\(file): it can't be read: \(error)")
    } catch {
      problems.append("\(file): \(error)")
    }
    return Self.contents(of: bundle, &problems).filter { file in
      let stated = info?.versionHashes[file.deletingPathExtension().lastPathComponent]
      return file.pathExtension == "mom" && (stated == nil || stated == version.hashes)
    }
  }

  private static func contents(of folder: URL, _ problems: inout [String]) -> [URL] {
    guard let names = DiskRead.names(in: folder.path) else {
      problems.append("The folder \(folder.path) can't be listed: \(String(cString: strerror(errno)))")
      return []
    }
    return names.sorted(by: NameOrder.codePoints).map { folder.appendingPathComponent($0) }
  }
}
