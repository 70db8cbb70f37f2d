internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel
internal import Foundation
internal import Glibc

/// Looks for files in a family's folder that nothing reads.
struct FamilyFolderCheck {
  private let family: Family

  /// Whether policy programs, which may read any file of the folder, may run in the folder.
  private let mayReadAll: Bool

  init(_ family: Family, mayReadAll: Bool) {
    self.family = family
    self.mayReadAll = mayReadAll
  }

  func fill(_ report: inout FamilyReport) {
    guard !family.place.isBundle,
      let entries = try? FileManager.default.contentsOfDirectory(atPath: family.folder.path)
    else { return }
    let used = UsedPlaces(of: family)
    for name in entries.sorted() where !name.hasPrefix(".") {
      let url = family.folder.appendingPathComponent(name)
      guard name != "family.json5", name != "reference", !used.reach(url.path) else { continue }
      let isMapping = MappingModelFile.endings.contains { name.hasSuffix($0) }
      if ["momd", "mom", "omo"].contains(url.pathExtension) {
        // Compiled models next to sources are for the model cache of new stores, so they aren't unused.
        continue
      } else if ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) || isMapping || !mayReadAll {
        report.unusedFiles.append(name)
      }
    }
    guard !report.unusedFiles.isEmpty else { return }
    let shown = listed(Array(report.unusedFiles.prefix(10)))
    let rest = report.unusedFiles.count > 10 ? " and \(report.unusedFiles.count - 10) more" : ""
    report.add(.note, "Nothing reads \(shown)\(rest).", file: family.folder.path)
  }
}

/// The paths of a family's models, mapping models, reference stores, `family.json5` and worker, with symbolic links
/// resolved.
///
/// An entry of the family's folder may be a link, or may contain the target of a link.
private struct UsedPlaces {
  private let places: [[UInt8]]

  init(of family: Family) {
    let paths =
      family.versions.flatMap { $0.variants.map(\.path) } + family.mappingModels.map(\.file.path)
      + family.referenceStores.map(\.path)
      + [family.folder.appendingPathComponent("family.json5").path]
      + [family.configuration.worker].compactMap(\.self)
    places = paths.compactMap(Self.real)
  }

  /// Whether a used file is the entry at a path, or is inside that folder.
  func reach(_ path: String) -> Bool {
    guard let real = Self.real(path) else { return false }
    return places.contains { $0 == real || $0.starts(with: real + [0x2F]) }
  }

  private static func real(_ path: String) -> [UInt8]? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return Array(UnsafeBufferPointer(start: pointer, count: strlen(pointer))).map(UInt8.init(bitPattern:))
  }
}
