internal import DecantMapping
internal import DecantModel
internal import FileNames
internal import Foundation

/// Where a family is read from: its folder, or one model bundle, which brings along what lies beside it.
///
/// Of a bundle that is given alone the models are its own. The mapping models, `family.json5` and `reference/` in its
/// folder count as if the folder had been given, because a step that bypassed a mapping model would lose values.
struct FamilyPlace: Sendable {
  /// What was given.
  let url: URL
  let isBundle: Bool

  init(_ url: URL) {
    self.url = url
    isBundle = ["xcdatamodeld", "momd"].contains(url.pathExtension)
  }

  /// The folder in which everything of the family lies.
  var folder: URL { isBundle ? url.standardizedFileURL.deletingLastPathComponent() : url }

  /// What the family is read from, in name order; hidden files aside.
  func entries() throws(FamilyError) -> [URL] {
    let all = try Self.contents(of: folder)
    return isBundle ? [url] + all.filter { Self.isCompanion($0.lastPathComponent) } : all
  }

  /// Whether an entry of the folder has a say in what the family is.
  func concerns(_ name: String) -> Bool {
    !isBundle || name == url.lastPathComponent || Self.isCompanion(name) || Self.isModel(name)
  }

  /// The mapping models beside a bundle that are for versions of another bundle beside it.
  ///
  /// One whose versions no bundle of the folder has is not among them: it may be for this bundle, in a state that the
  /// bundle no longer has.
  ///
  /// - Parameter faults: Gets one for each mapping model between this bundle and another: without it a step would
  ///   bypass it, and with it the bundle alone isn't the family.
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
            + "beside \(url.lastPathComponent). Give the folder \(folder.path) in place of the bundle",
          versions: own.flatMap { $0.versions.map(\.name) }))
    }
    return foreign
  }

  /// What was taken in besides the models, and what wasn't; nothing where a folder was given.
  func notes(_ entries: [URL], foreign: [MappingModelFile]) -> [String] {
    guard isBundle else { return [] }
    func list(_ names: [String]) -> String {
      names.prefix(10).map { "“\($0)”" }.joined(separator: ", ")
        + (names.count > 10 ? " and \(names.count - 10) more" : "")
    }
    let others = foreign.map { URL(fileURLWithPath: $0.path).lastPathComponent }
    let taken = entries.dropFirst().map(\.lastPathComponent).filter { !others.contains($0) }
    var notes: [String] = []
    if !taken.isEmpty {
      notes.append(
        "What lies beside \(url.lastPathComponent) counts as well: \(list(Array(taken))) in \(folder.path).")
    }
    if !others.isEmpty {
      notes.append(
        "Not used are \(list(others)) beside \(url.lastPathComponent): they are for other models in \(folder.path)."
      )
    }
    return notes
  }

  /// What a folder holds, hidden files aside, in name order.
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

  private static func isModel(_ name: String) -> Bool {
    [".xcdatamodeld", ".xcdatamodel", ".momd", ".mom"].contains { name.hasSuffix($0) }
  }
}
