internal import FileNames
internal import Foundation

/// A stamp of a family's folder, by which changes are detected later, also in another process.
package struct FamilyStamp: Sendable, Hashable, Codable {
  /// The path that the caller gave: the folder, or a model bundle in it.
  private let path: FileName
  private let digest: String

  /// - Parameter state: The folder before it was read.
  /// - Returns: `nil` if the state is unknown, or if a second change at the same time couldn't be detected.
  package init?(of place: FamilyPlace, _ state: FolderState?) {
    guard let state, state.isSettled else { return nil }
    path = FileName(place.url.path)
    digest = state.digest
  }

  /// Takes the stamp of a family's folder as it is now.
  ///
  /// - Parameter seconds: The current time, in seconds since 1970.
  /// - Returns: `nil` under the conditions of the other initializer.
  package init?(of folder: String, at seconds: Int = Int(Date().timeIntervalSince1970)) {
    let place = FamilyPlace(URL(fileURLWithPath: folder))
    self.init(of: place, FolderState(of: place, at: seconds))
  }

  /// Whether the family's files have the same paths, inodes, modes, sizes and times.
  package var holds: Bool {
    FolderState(of: FamilyPlace(URL(fileURLWithPath: path.text)), at: 0)?.digest == digest
  }
}
