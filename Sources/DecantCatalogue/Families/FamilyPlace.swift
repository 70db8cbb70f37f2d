internal import DecantMapping
internal import DecantModel
internal import FileNames
package import Foundation

/// The place of a family: its folder, or one model bundle with the files beside it.
///
/// A bundle gives only its own models. The mapping models, `family.json5` and `reference/` in the bundle's folder are
/// used, too, because a step that bypassed a mapping model would lose values.
package struct FamilyPlace: Sendable {
  /// The path that the caller gave.
  package let url: URL
  package let isBundle: Bool

  package init(_ url: URL) {
    self.url = url
    isBundle = ["xcdatamodeld", "momd"].contains(url.pathExtension)
  }

  /// The place that a path means: for a symbolic link to a bundle, the bundle itself, with the files beside the bundle.
  ///
  /// The link itself is the place if its name ends like a bundle's, and if a mapping model, `family.json5` or
  /// `reference/` is beside the link.
  static func meant(by url: URL) -> URL {
    guard let bundle = linked(url) else { return url }
    let folder = FamilyPlace(url).folder
    let names = FamilyPlace(url).isBundle ? DiskRead.names(in: folder.path) ?? [] : []
    guard !names.contains(where: isCompanion) else { return url }
    // The files beside the bundle are read, too, so a disk failure there has to be noticed.
    DiskWatch.follow(url, to: bundle.deletingLastPathComponent())
    return bundle
  }

  private static func linked(_ url: URL) -> URL? {
    guard (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) != nil else { return nil }
    let end = url.resolvingSymlinksInPath()
    return FamilyPlace(end).isBundle ? end : nil
  }

  /// Sentences about files beside a linked bundle that aren't used.
  var warnings: [String] {
    let links = isBundle ? [url] : (try? Self.contents(of: folder)) ?? []
    let own = Set((DiskRead.names(in: folder.path) ?? []).map { FileName($0) })
    return links.compactMap { link in
      guard let bundle = Self.linked(link) else { return nil }
      let other = bundle.deletingLastPathComponent()
      let names = (DiskRead.names(in: other.path) ?? []).filter { name in
        Self.isCompanion(name) && (isBundle || !own.contains(FileName(name)))
      }.sorted(by: NameOrder.codePoints)
      guard !names.isEmpty, other.path != folder.resolvingSymlinksInPath().path else { return nil }
      return
        "Files in \(other.path), beside the bundle to which \(link.lastPathComponent) leads, aren't used: \(Self.list(names)). "
        + (isBundle
          ? "The files beside the link are used instead. To use the files beside the bundle, name the bundle itself"
          : "Only files in the family's folder count. To use these files, link or copy them into the family's folder")
    }
  }

  private static func list(_ names: [String]) -> String {
    listed(Array(names.prefix(10)))
      + (names.count > 10 ? " and \(names.count - 10) more" : "")
  }

  var folder: URL { isBundle ? url.standardizedFileURL.deletingLastPathComponent() : url }

  /// The family's files and folders in name order, without hidden ones.
  ///
  /// For a bundle: first the bundle, then the mapping models, `family.json5` and `reference` beside it.
  package func entries() throws(FamilyError) -> [URL] {
    let all = try Self.contents(of: folder)
    return isBundle ? [url] + all.filter { Self.isCompanion($0.lastPathComponent) } : all
  }

  /// Whether a change of an entry of the folder can change the family.
  ///
  /// Models beside a bundle count, too: they decide which mapping models are for other models.
  func concerns(_ name: String) -> Bool {
    !isBundle || name == url.lastPathComponent || Self.isCompanion(name) || Self.isModel(name)
  }

  /// The mapping models beside a bundle that lead from or to a version of another bundle in the same folder.
  ///
  /// A mapping model whose versions are in no bundle isn't returned, because it may be for an earlier state of this
  /// bundle.
  ///
  /// - Parameter faults: Gets a fault for each mapping model between this bundle and another. If such a mapping model
  ///   were left out, a step could bypass it. If it were used, the bundle alone wouldn't be the family.
  func foreign(
    _ files: [MappingModelFile], to own: [ModelBundle], _ staleHashes: FamilyConfiguration.StaleHashes,
    _ faults: inout [FamilyError]
  ) -> [MappingModelFile] {
    guard isBundle, !files.isEmpty, let all = try? Self.contents(of: folder) else { return [] }
    let names = Set(own.map { FileName($0.name) })
    let others = FamilyModels.readable(all.filter { Self.isModel($0.lastPathComponent) }).models.bundles
      .filter { !names.contains(FileName($0.name)) }
    guard !others.isEmpty else { return [] }
    let versions = FamilyReader.versions(of: own + others)
    let resolver = MappingPairResolver(versions: versions, order: [], staleHashes: staleHashes)
    var foreign: [MappingModelFile] = []
    for file in files {
      var warnings: [String] = []
      guard let pair = try? resolver.resolve([file], warnings: &warnings).first else { continue }
      let ends = [versions[pair.source], versions[pair.destination]]
      let others = ends.filter { end in !end.variants.contains { names.contains(FileName($0.bundle)) } }
      guard let other = others.first else { continue }
      foreign.append(file)
      guard others.count == 1 else { continue }
      faults.append(
        .mappingModelVersions(
          path: file.path,
          problem:
            "it leads from “\(ends[0].name)” to “\(ends[1].name)”, and “\(other.name)” is a version of another model "
            + "beside \(url.lastPathComponent). Name the folder \(folder.path) instead of the bundle",
          versions: own.flatMap { $0.versions.map(\.name) }))
    }
    return foreign
  }

  /// Sentences about the files beside a bundle: those that are used, and those that aren't.
  func notes(_ entries: [URL], foreign: [MappingModelFile]) -> [String] {
    guard isBundle else { return [] }
    let others = foreign.map { URL(fileURLWithPath: $0.path).lastPathComponent }
    let taken = entries.dropFirst().map(\.lastPathComponent).filter { !others.contains($0) }
    var notes: [String] = []
    if !taken.isEmpty {
      notes.append(
        "Files beside \(url.lastPathComponent) are used, too: \(Self.list(taken)) in \(folder.path).")
    }
    if !others.isEmpty {
      notes.append(
        "Files beside \(url.lastPathComponent) that are for other models aren't used: \(Self.list(others)) in \(folder.path)."
      )
    }
    return notes
  }

  /// The entries of a folder in name order, without hidden ones.
  static func contents(of folder: URL) throws(FamilyError) -> [URL] {
    guard let names = DiskRead.names(in: folder.path) else {
      throw .unreadable(path: folder.path)
    }
    return names.filter { !$0.hasPrefix(".") }.sorted(by: NameOrder.codePoints).map {
      folder.appendingPathComponent($0)
    }
  }

  private static func isCompanion(_ name: String) -> Bool {
    name == "family.json5" || name == "reference" || MappingModelFile.endings.contains { name.hasSuffix($0) }
  }

  /// Whether a name is that of a model's source or of a compiled model.
  static func isModel(_ name: String) -> Bool {
    [".xcdatamodeld", ".xcdatamodel", ".momd", ".mom", ".omo"].contains { name.hasSuffix($0) }
  }
}
