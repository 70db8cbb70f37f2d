internal import KeyedArchive

enum ArchivedTexts {
  /// The entries of an archived dictionary whose values are texts; other entries are skipped.
  static func entries(of node: ArchiveNode) throws(ArchiveError) -> [String: String] {
    var allowance = ArchiveAllowance()
    var entries: [String: String] = [:]
    for (key, value) in try node.entries(&allowance) { entries[key] = value?.string }
    return entries
  }
}
