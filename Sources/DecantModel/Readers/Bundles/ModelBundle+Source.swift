internal import FileNames
internal import Foundation
internal import KeyedArchive

extension ModelBundle {
  static func readBundle(at url: URL, only name: String? = nil) throws(ModelError) -> ModelBundle {
    let folders = try ModelFile.contents(of: url).filter { $0.pathExtension == "xcdatamodel" }
    guard !folders.isEmpty else { throw .noVersions }
    var leftOut: [LeftOut] = []
    let versions = try readVersions(folders, only: name, leftOut: &leftOut, readVersion)
    let names = folders.map { $0.deletingPathExtension().lastPathComponent }
    // The current version doesn't matter if a version is named.
    let current = name == nil ? try currentName(in: url, versions: names) : nil
    var bundle = ModelBundle(
      name: url.deletingPathExtension().lastPathComponent, versions: versions, currentVersionName: current)
    bundle.leftOut = leftOut
    return bundle
  }

  /// Reads `contents`, or `elements` for a model from before Xcode 4 (docs/formats/model-files.md 2, 3).
  static func readVersion(at folder: URL) throws(ModelError) -> Version {
    let reading: ModelReading
    let (contents, elements) = (
      folder.appendingPathComponent("contents"), folder.appendingPathComponent("elements")
    )
    if ModelFile.exists(contents) {
      reading = try ModelContentsReader.read(try ModelFile.read(contents))
    } else if ModelFile.exists(elements) {
      reading = try ModelElementsReader.read(try ModelFile.read(elements))
    } else {
      guard ModelFile.exists(folder) else { throw .noSuchFile }
      throw .notAModel(what: "the folder has neither a file “contents” nor a file “elements” (before Xcode 4)")
    }
    return Version(
      name: folder.deletingPathExtension().lastPathComponent, path: folder.path, model: reading.model,
      warnings: reading.warnings)
  }

  /// The name of the current version (docs/formats/model-files.md 1).
  private static func currentName(in url: URL, versions: [String]) throws(ModelError) -> String? {
    let only = versions.count == 1 ? versions.first : nil
    let file = url.appendingPathComponent(".xccurrentversion")
    guard ModelFile.exists(file) else { return only }
    return try ModelFile.inFile(file) { () throws(ModelError) in
      let list: PropertyList
      let data = try ModelFile.read(file)
      do throws(PropertyListError) {
        list = try PropertyList(parsing: data)
      } catch {
        throw .unreadable(reason: error.description)
      }
      guard let folder = list["_XCCurrentVersionName"]?.string else { return only }
      let name = FileName(folder).dropping(".xcdatamodel")?.text ?? folder
      guard let meant = FileName.meant(by: name, among: versions) else {
        throw .noSuchVersion(name, existing: versions)
      }
      return meant
    }
  }
}
