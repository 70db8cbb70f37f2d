/// Why a folder can't be searched for Swift files.
package enum AppFolderError: Error, Hashable, CustomStringConvertible {
  case unreadable(String, String)
  case tooLarge(String)

  package var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path) can't be read: \(reason)."
    case .tooLarge(let path):
      "\(path) has more than \(AppFolder.entryLimit) files and folders. Name the folder with the app's migrations."
    }
  }
}
