internal import FileNames
internal import Foundation

/// What tells later, also in another process, whether a family's folder is as it was when it was read.
package struct FamilyStamp: Sendable, Hashable, Codable {
  /// What was given: the folder, or a model bundle in it.
  private let path: FileName
  private let digest: String

  /// - Parameter state: The folder as it was before it was read.
  /// - Returns: `nil` where that couldn't be seen, or where another change in the same moment couldn't be told.
  init?(of place: FamilyPlace, _ state: FolderState?) {
    guard let state, state.isSettled else { return nil }
    path = FileName(place.url.path)
    digest = state.digest
  }

  /// The stamp of a family that is read now.
  ///
  /// - Parameter seconds: The time of day.
  package init?(of folder: String, at seconds: Int = Int(Date().timeIntervalSince1970)) {
    let place = FamilyPlace(URL(fileURLWithPath: folder))
    self.init(of: place, FolderState(of: place, at: seconds))
  }

  /// Whether everything in the folder has the number, size and times that it had.
  package var holds: Bool {
    FolderState(of: FamilyPlace(URL(fileURLWithPath: path.text)), at: 0)?.digest == digest
  }
}
