internal import FileNames
internal import Foundation

extension ModelBundle {
  static func readCompiledVersion(at file: URL) throws(ModelError) -> Version {
    guard ModelFile.exists(file) else { throw .noSuchFile }
    let reading = try CompiledModelReader.read(try ModelFile.read(file))
    return Version(
      name: file.deletingPathExtension().lastPathComponent, path: file.path, model: reading.model,
      warnings: reading.warnings)
  }

  /// Reads every `.mom` of a folder, and checks the content of `VersionInfo.plist` (docs/formats/model-files.md 6).
  static func readCompiledBundle(at url: URL, only name: String? = nil) throws(ModelError) -> ModelBundle {
    let contents = try ModelFile.contents(of: url)
    let files = contents.filter { $0.pathExtension == "mom" }
    guard !files.isEmpty else {
      let optimised = contents.filter { $0.pathExtension == "omo" }.map(\.lastPathComponent)
      guard optimised.isEmpty else { throw .onlyOptimised(optimised.sorted(by: NameOrder.codePoints)) }
      throw .noVersions
    }
    let info = name == nil ? try versionInfo(in: url) : try? versionInfo(in: url)
    let names = files.map { $0.deletingPathExtension().lastPathComponent }
    // If names differ only in normal form, the property list can't distinguish their hashes. So these hashes aren't
    // compared.
    let lookAlikes = LookAlikes(names.map { FileName($0) })
    var current = info?.currentVersionName
    var oddity: String?
    var missing: String?
    if let name = current {
      current = FileName.meant(by: name, among: names)
      if current == nil {
        // Users may rename the files, so this is only a warning.
        oddity = "VersionInfo.plist names the current version “\(name)”, which isn't there"
        missing = name
      }
    }
    if current == nil, names.count == 1 { current = names.first }
    var versions: [Version] = []
    var leftOut: [LeftOut] = []
    for version in try readVersions(files, only: name, leftOut: &leftOut, readCompiledVersion) {
      var warnings = version.warnings
      if lookAlikes.otherForms(of: FileName(version.name)).isEmpty,
        let sentence = info?.difference(from: version)
      {
        warnings.append(sentence)
      }
      if let oddity, current == nil || current == version.name { warnings.append(oddity) }
      versions.append(
        Version(name: version.name, path: version.path, model: version.model, warnings: warnings))
    }
    let lost = Set(info?.versionHashes.keys.map { $0 } ?? []).subtracting(names).sorted(
      by: NameOrder.codePoints)
    if !lost.isEmpty, let first = versions.first {
      versions[0] = Version(
        name: first.name, path: first.path, model: first.model,
        warnings: first.warnings + [
          "VersionInfo.plist has hashes of versions whose .mom isn't there: \(lost.joined(separator: ", "))"
        ])
    }
    var bundle = ModelBundle(
      name: url.deletingPathExtension().lastPathComponent, versions: versions, currentVersionName: current,
      missingCurrentName: missing)
    bundle.leftOut = leftOut
    return bundle
  }

  private static func versionInfo(in folder: URL) throws(ModelError) -> CompiledVersionInfo? {
    let file = folder.appendingPathComponent("VersionInfo.plist")
    guard ModelFile.exists(file) else { return nil }
    return try ModelFile.inFile(file) { () throws(ModelError) in
      try CompiledVersionInfo.read(try ModelFile.read(file))
    }
  }
}

extension CompiledVersionInfo {
  fileprivate func difference(from version: ModelBundle.Version) -> String? {
    guard let stated = versionHashes[version.name] else { return nil }
    let own = version.model.entityVersionHashes
    guard stated != own else { return nil }
    let names = Set(stated.keys).union(own.keys).filter { stated[$0] != own[$0] }.sorted(
      by: NameOrder.codePoints)
    return
      "VersionInfo.plist states other version hashes than this model has, for: \(names.joined(separator: ", "))"
  }
}
