internal import FileNames
internal import Foundation

/// The names that a store takes in its folder, whether or not there are files of these names yet.
struct StorePlaces {
  /// Device and number of the folder: the same whatever way leads there.
  private let folder: [UInt64]?
  private let store: FileName
  private let siblings: [FileName]
  private let support: FileName

  init(_ path: String) {
    folder = StoreFiles.identity(PathText.folder(of: path))
    store = PathText.name(of: path)
    siblings = StoreNames.siblings(store)
    support = StoreNames.support(store)
  }

  /// Why an output of this name can't be: as one of the other store's files it would be read along with that, or the other
  /// store with it.
  ///
  /// Names that look alike count as well: a file system may take them for one, and a store beside such a sibling is refused.
  func clash(withSource source: StorePlaces) -> String? {
    guard folder != nil, folder == source.folder else { return nil }
    if let taken = (source.siblings + [source.support]).first(where: { Self.areAlike(store, $0) }) {
      return "The output would be “\(taken)”, which is read as a part of the source “\(source.store)”."
    }
    if let own = (siblings + [support]).first(where: { Self.areAlike(source.store, $0) }) {
      return
        "The source “\(source.store)” would be “\(own)” of the output, which belongs to the output by its name."
    }
    return nil
  }

  private static func areAlike(_ one: FileName, _ other: FileName) -> Bool {
    one == other || one.isOtherForm(of: other)
  }
}
