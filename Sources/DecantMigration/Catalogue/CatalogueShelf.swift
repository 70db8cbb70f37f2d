internal import DecantStore
internal import FileNames
public import Foundation
internal import Synchronization

/// The families that a process has read, kept for its further jobs as long as nothing in their folders changes.
///
/// A family that can't be used isn't kept, and neither is one whose folder was changed just now: another change in the
/// same moment couldn't be told.
public final class CatalogueShelf: Sendable {
  private struct Entry {
    let state: FolderState
    let family: Family
  }

  /// The empty destinations that stores have begun with.
  let emptyStores = EmptyStores()
  /// What the schemas of stores have told.
  let schemas = StoreSchemas()
  private let entries = Mutex<[FileName: Entry]>([:])
  private let news = Mutex(false)
  /// Seconds since 1970.
  private let clock: @Sendable () -> Int

  public convenience init() { self.init { Int(Date().timeIntervalSince1970) } }

  init(clock: @escaping @Sendable () -> Int) { self.clock = clock }

  /// Whether a family was read since this was last asked.
  var hasNews: Bool {
    news.withLock { news in
      defer { news = false }
      return news
    }
  }

  /// Forgets all families, with what follows from them: a disk may have kept something back when they were read.
  func forget() { entries.withLock { $0 = [:] } }

  /// Reads a catalogue as `Catalogue.read(at:family:)` does, families that are unchanged excepted.
  ///
  /// - Throws: `CatalogueError` where the folder isn't there or can't be listed.
  public func catalogue(at url: URL, family: String? = nil) throws(CatalogueError) -> Catalogue {
    try Catalogue.read(at: url, family: family) { name, folder in self.state(named: name, at: folder) }
  }

  private func state(named name: String, at folder: URL) -> FamilyState {
    let place = FileName(folder.path)
    if let entry = entries.withLock({ $0[place] }), entry.family.name == name, entry.state.holds {
      return .ready(entry.family)
    }
    // Looked at before it is read: what changes meanwhile shows when the family is asked for again.
    let state = FolderState(of: FamilyPlace(folder), at: clock())
    news.withLock { $0 = true }
    let read = Catalogue.readFamily(named: name, at: folder, seen: state)
    guard case .ready(var family) = read, let state, state.isSettled else {
      entries.withLock { $0[place] = nil }
      return read
    }
    family.memory = FamilyMemory()
    let entry = Entry(state: state, family: family)
    entries.withLock { $0[place] = entry }
    return .ready(family)
  }
}
