internal import DecantModel
internal import DecantPolicies
internal import Foundation

struct StoreHashes {
  let hashes: EntityVersionHashes

  init?(_ metadata: [String: Any]) {
    guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Any] else { return nil }
    var hashes: EntityVersionHashes = [:]
    for (name, value) in stored {
      guard let data = value as? Data, let hash = VersionHash(data) else { return nil }
      hashes[name] = hash
    }
    self.hashes = hashes
  }
}

extension ManagedObjectModel {
  /// A model without entities is part of no store.
  func isPart(of hashes: EntityVersionHashes) -> Bool {
    !entities.isEmpty && entityVersionHashes.allSatisfy { hashes[$0.key] == $0.value }
  }
}
