internal import FileNames

/// The calls of `FolderHandle` for names that are text.
extension FolderHandle {
  package func folder(_ name: String, rounds: SyncRounds? = nil) throws(FileFailure) -> FolderHandle {
    try folder(FileName(name), rounds: rounds)
  }

  package func status(_ name: String) throws(FileFailure) -> FileStatus? { try status(FileName(name)) }

  package func exists(_ name: String) throws(FileFailure) -> Bool { try exists(FileName(name)) }

  package func rename(_ name: String, to folder: FolderHandle, as newName: String) throws(FileFailure) {
    try rename(FileName(name), to: folder, as: FileName(newName))
  }

  package func remove(_ name: String) throws(FileFailure) { try remove(FileName(name)) }

  package func removeTree(_ name: String) throws(FileFailure) { try removeTree(FileName(name)) }
}
