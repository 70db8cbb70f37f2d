import CoreData

/// Says for each version of the model whether a store fits it, or which entities differ.
///
/// It stands for: `metadataForPersistentStore(type:at:)`, `entityVersionHashesByName`, resources of a bundle.
struct VersionReport {
  let bundle: Bundle

  func lines(for url: URL) throws -> [String] {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let paths = bundle.paths(forResourcesOfType: "mom", inDirectory: "Notas.momd")
    return paths.sorted().compactMap { path in
      let file = URL(fileURLWithPath: path)
      guard let model = NSManagedObjectModel(contentsOf: file) else { return nil }
      let differing = Set(model.entityVersionHashesByName.keys).union(hashes.keys)
        .filter { model.entityVersionHashesByName[$0] != hashes[$0] }.sorted()
      let fits = model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      return "\(file.deletingPathExtension().lastPathComponent): "
        + (fits ? "fits" : "differs in " + differing.joined(separator: ", "))
    }
  }
}
