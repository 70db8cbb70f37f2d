internal import DecantStore
internal import DecantXMLStore
internal import Foundation

/// Removes a store with its `-wal`, `-shm`, `-journal` and external data.
enum StoreDestruction {
  static func run(_ place: StorePlace, type: String) throws(CoreDataError) {
    try StoreTypeCheck.run(type)
    if try place.content() == .file {
      try CoreDataError.of(place.path) { try checkIsStore(place, type: type) }
    }
    guard FileManager.default.fileExists(atPath: place.folder.path) else { return }
    try StorePlacement.clear(place)
  }

  /// Refuses files of other kinds; a damaged store may be removed.
  private static func checkIsStore(_ place: StorePlace, type: String) throws {
    let scratch = try PrivateFolder()
    do {
      let store = try SourceStore.open(place.path, scratch: scratch.path("copy"), checksPages: false)
      try StoreTypeCheck.run(store, type)
    } catch let error as StoreError {
      switch error {
      case .truncated, .damaged, .foreignLog, .noVersionHashes, .damagedMetadata, .sqlite:
        guard type == SourceStore.Kind.sqlite.name, !error.mayGetBetter else { throw error }
      case .damagedXML where type == SourceStore.Kind.xml.name: break
      default: throw error
      }
    }
  }
}
