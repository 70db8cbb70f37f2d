internal import DecantModel
internal import DecantStore
internal import FileNames
internal import Foundation

/// The models of a family's folder.
struct FamilyModels {
  private static let sources: Set = ["xcdatamodeld", "xcdatamodel"]
  private static let compiled: Set = ["momd", "mom", "omo"]

  private(set) var bundles: [ModelBundle] = []
  private(set) var warnings: [String] = []

  /// Reads the sources, else the compiled models, else the reference stores' own models.
  ///
  /// Compiled models beside sources are skipped, because they are the same models.
  static func read(
    _ entries: [URL], referenceStores: [URL], folder: URL, faults: inout [FamilyError]
  ) -> FamilyModels? {
    var models = FamilyModels()
    var unreadable: [FamilyError] = []
    for kinds in [sources, compiled] where models.bundles.isEmpty && unreadable.isEmpty {
      for url in entries where kinds.contains(url.pathExtension) && !hasTwin(url, in: entries) {
        unreadable += models.take(url)
      }
    }
    guard unreadable.isEmpty else {
      faults += unreadable
      return nil
    }
    if models.bundles.isEmpty { models.take(referenceStores: referenceStores) }
    guard !models.bundles.isEmpty else {
      faults.append(.noModels(path: folder.path, findings: models.warnings))
      return nil
    }
    models.warnings += models.bundles.flatMap { bundle in
      bundle.versions.flatMap { version in version.warnings.map { "\(version.path): \($0)" } }
    }
    return models
  }

  /// The readable versions of sources and compiled models, and the faults of the unreadable versions.
  static func readable(_ entries: [URL]) -> (models: FamilyModels, unread: [ModelError]) {
    var models = FamilyModels()
    var unread: [ModelError] = []
    for url in entries
    where sources.union(compiled).contains(url.pathExtension) && !hasTwin(url, in: entries) {
      if let bundle = ModelBundle.readable(at: place(of: url)) {
        models.bundles.append(bundle)
        unread += bundle.leftOut.map(\.error)
      } else {
        unread += ModelBundle.faults(at: place(of: url))
      }
    }
    return (models, unread)
  }

  /// Whether the entry is an optimised model beside its plain form.
  private static func hasTwin(_ url: URL, in entries: [URL]) -> Bool {
    guard url.pathExtension == "omo" else { return false }
    let twin = url.deletingPathExtension().lastPathComponent + ".mom"
    return entries.contains { FileName($0.lastPathComponent) == FileName(twin) }
  }

  private mutating func take(_ url: URL) -> [FamilyError] {
    let bundle = Self.place(of: url)
    do throws(ModelError) {
      bundles.append(try ModelBundle.read(at: bundle))
      return []
    } catch {
      let faults = ModelBundle.faults(at: bundle)
      return (faults.isEmpty ? [error] : faults).map { .model($0) }
    }
  }

  /// The URL at which a bundle is read: the target of a symbolic link, or the link if the extensions differ.
  ///
  /// Disk failures at the target are noticed, too (`DiskWatch`).
  private static func place(of url: URL) -> URL {
    let place = DiskWatch.resolved(url)
    return place.pathExtension == url.pathExtension ? place : url
  }

  private mutating func take(referenceStores: [URL]) {
    guard !referenceStores.isEmpty else { return }
    let scratch = ScratchPlace()
    defer { scratch.remove() }
    var versions: [ModelBundle.Version] = []
    for url in referenceStores {
      do {
        let store = try SourceStore(url.path, scratch: scratch.path, checksPages: false)
        guard let cached = try store.cachedModel() else {
          warnings.append(
            "\(url.path): the reference store doesn't keep its own model, so its version isn't known")
          continue
        }
        versions.append(
          ModelBundle.Version(
            name: url.deletingPathExtension().lastPathComponent, path: url.path, model: cached.model,
            warnings: cached.warnings))
      } catch let error as ModelError {
        warnings.append("\(url.path): \(error)")
      } catch {
        warnings.append("\(error)")
      }
    }
    guard !versions.isEmpty else { return }
    bundles = [
      ModelBundle(
        name: "reference", versions: versions, currentVersionName: versions.count == 1 ? versions[0].name : nil)
    ]
  }
}
