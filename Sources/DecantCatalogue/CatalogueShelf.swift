internal import DecantModel
package import DecantStore
internal import FileNames
public import Foundation
internal import Synchronization

/// A cache of the families that a process has read, valid until their folders change.
///
/// These families aren't kept:
/// - broken families,
/// - families that were read while the disk failed,
/// - families whose folder's state isn't known (`FolderState`),
/// - families whose folder has just changed, because a second change at the same time couldn't be detected.
public final class CatalogueShelf: Sendable {
  private struct Entry {
    let state: FolderState
    let family: Family
    /// Whether the family was read twice in this state of its folder.
    let isConfirmed: Bool
    /// Whether the family is to be read again.
    var isDoubted = false
  }

  /// Empty stores, from which new stores are built in memory.
  package let emptyStores = EmptyStores()
  /// The schemas of earlier stores.
  package let schemas = StoreSchemas()
  private let entries = Mutex<[FileName: Entry]>([:])
  private let news = Mutex(false)
  /// Seconds since 1970.
  private let clock: @Sendable () -> Int

  public convenience init() { self.init { Int(Date().timeIntervalSince1970) } }

  init(clock: @escaping @Sendable () -> Int) { self.clock = clock }

  /// Whether a family was read since the last use of this property.
  package var hasNews: Bool {
    news.withLock { news in
      defer { news = false }
      return news
    }
  }

  /// Marks the families to be read again at the next request, because a refusal may follow from a faulty reading.
  ///
  /// A family that was read twice in the same state of its folder isn't marked. Therefore even a great number of
  /// refused stores causes only one more reading.
  package func doubt() {
    entries.withLock { entries in
      for place in entries.keys where entries[place]?.isConfirmed == false { entries[place]?.isDoubted = true }
    }
  }

  /// Forgets the schemas of earlier stores.
  package func forgetStores() { schemas.forget() }

  /// Reads a catalogue like `Catalogue.read(at:family:)`, but reuses unchanged families.
  ///
  /// - Throws: `CatalogueError` if nothing is at the URL, or if it isn't a folder that can be listed.
  public func catalogue(at url: URL, family: String? = nil) throws(CatalogueError) -> Catalogue {
    try Catalogue.read(at: url, family: family) { name, folder in self.state(named: name, at: folder) }
  }

  private func state(named name: String, at folder: URL) -> FamilyState {
    let place = FileName(folder.path)
    let known = entries.withLock { $0[place] }
    let holds = known.map { $0.family.name == name && $0.state.holds } ?? false
    if let known, holds, !known.isDoubted { return .ready(known.family) }
    let familyPlace = FamilyPlace(folder)
    let watch = DiskWatch(at: DiskWatch.places([folder.path, familyPlace.folder.path]))
    // The state is taken before reading, so that a change during the reading is detected at the next request.
    let state = FolderState(of: familyPlace, at: clock())
    news.withLock { $0 = true }
    let read = Catalogue.readFamily(named: name, at: folder, seen: state)
    guard case .ready(var family) = read, let state, state.isSettled, watch.failure == nil else {
      entries.withLock { $0[place] = nil }
      return read
    }
    family.memory = FamilyMemory()
    let entry = Entry(state: state, family: family, isConfirmed: holds)
    entries.withLock { $0[place] = entry }
    return .ready(family)
  }
}
