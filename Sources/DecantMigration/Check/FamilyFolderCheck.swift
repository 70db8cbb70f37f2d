internal import DecantCatalogue
internal import DecantMapping
internal import Foundation

/// Looks for files in a family's folder that nothing reads.
struct FamilyFolderCheck {
  private let family: Family

  /// Whether policy programs run in the folder.
  ///
  /// They may read any file in it.
  private let mayReadAll: Bool

  init(_ family: Family, mayReadAll: Bool) {
    self.family = family
    self.mayReadAll = mayReadAll
  }

  func fill(_ report: inout FamilyReport) {
    guard !family.place.isBundle,
      let entries = try? FileManager.default.contentsOfDirectory(atPath: family.folder.path)
    else { return }
    let models = family.versions.flatMap { $0.variants.map(\.path) }
    let readModels = Set(models.compactMap(entry))
    let mappings = Set(family.mappingModels.map { URL(fileURLWithPath: $0.file.path).lastPathComponent })
    for name in entries.sorted() where !name.hasPrefix(".") {
      let ending = URL(fileURLWithPath: name).pathExtension
      let isModel = ["xcdatamodeld", "xcdatamodel", "momd", "mom", "omo"].contains(ending)
      let isMapping = MappingModelFile.endings.contains { name.hasSuffix($0) }
      if isModel {
        // Compiled models beside sources are for the model cache of new stores.
        if !readModels.contains(name), ["xcdatamodeld", "xcdatamodel"].contains(ending) {
          report.unusedFiles.append(name)
        }
      } else if isMapping {
        if !mappings.contains(name) { report.unusedFiles.append(name) }
      } else if name != "family.json5", name != "reference", !mayReadAll {
        report.unusedFiles.append(name)
      }
    }
    guard !report.unusedFiles.isEmpty else { return }
    let shown = report.unusedFiles.prefix(10).map { "“\($0)”" }.joined(separator: ", ")
    let rest = report.unusedFiles.count > 10 ? " and \(report.unusedFiles.count - 10) more" : ""
    report.add(.note, "Nothing reads \(shown)\(rest).", file: family.folder.path)
  }

  /// The entry of the folder to which a path leads.
  private func entry(of path: String) -> String? {
    let folder = family.folder.standardizedFileURL.resolvingSymlinksInPath().path + "/"
    let file = URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    guard file.hasPrefix(folder) else {
      // A linked bundle is elsewhere under the same name.
      return URL(fileURLWithPath: path).pathComponents.last { $0.hasSuffix(".xcdatamodeld") }
        ?? URL(fileURLWithPath: path).lastPathComponent
    }
    return file.dropFirst(folder.count).split(separator: "/").first.map(String.init)
  }
}
