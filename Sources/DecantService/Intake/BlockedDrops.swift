internal import DecantSpool
internal import FileNames

/// The drops that can't be taken, and which of them are new or gone since the last report.
struct BlockedDrops {
  /// The most drops with their reasons; further ones are only counted.
  ///
  /// A folder with more has another problem.
  static let most = 1000

  /// The reasons as they were reported last, by the drop's name.
  private(set) var reported: [FileName: [Obstacle]] = [:]
  /// The number of drops beyond `most`.
  private(set) var further = 0
  /// The reasons as they are now.
  private(set) var current: [FileName: [Obstacle]] = [:]
  private var unreported = 0

  /// The number of all reasons.
  var count: Int { reported.values.reduce(further) { $0 + $1.count } }

  /// Forgets all drops; a new scan notes those that are still blocked.
  mutating func begin() { (current, further, unreported) = ([:], 0, 0) }

  mutating func note(_ name: FileName, _ obstacles: [Obstacle]) {
    if reported[name] == nil, current[name] == nil {
      // A reported drop keeps its room, so that no report about it is wrong.
      guard reported.count + unreported < Self.most else {
        further += 1
        return
      }
      unreported += 1
    }
    current[name] = obstacles
  }

  /// Whether a drop counts as blocked since the last report.
  func isReported(_ name: FileName) -> Bool { reported[name] != nil }

  /// Keeps a drop that another program has open for writing while that program writes.
  ///
  /// Otherwise each pause and each end of a pause would be reported.
  mutating func noteChanging(_ name: FileName) {
    guard let obstacles = reported[name], obstacles.contains(where: \.isOpenForWriting) else { return }
    current[name] = obstacles
  }

  /// The drops with new reasons, and the drops that are no longer blocked; they count as reported now.
  ///
  /// - Parameter isWhole: Whether all drops were looked at since `begin`. If not, the others may still be blocked.
  mutating func report(isWhole: Bool) -> (new: [(name: FileName, obstacles: [Obstacle])], gone: [FileName]) {
    let new = current.filter { reported[$0.key] != $0.value }.sorted { $0.key < $1.key }
    let gone = isWhole ? reported.keys.filter { current[$0] == nil }.sorted() : []
    (reported, unreported) = (isWhole ? current : reported.merging(current) { $1 }, 0)
    return (new.map { ($0.key, $0.value) }, gone)
  }
}
