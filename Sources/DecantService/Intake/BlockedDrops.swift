internal import DecantSpool
internal import FileNames

/// The drops that can't be taken, and which of them are new or gone since the last report.
struct BlockedDrops {
  /// The largest number of drops that are kept with their reasons; further drops are only counted.
  ///
  /// With more blocked drops, a longer list of reasons is no help.
  static let most = 1000

  /// The reasons of the last report, by the drop's name.
  private(set) var reported: [FileName: [Obstacle]] = [:]
  /// The number of drops beyond `most`.
  private(set) var further = 0
  /// The reasons since `begin`, by the drop's name.
  private(set) var current: [FileName: [Obstacle]] = [:]
  private var unreported = 0
  private var reportedFurther = 0

  /// The number of blocked drops of the last report.
  var count: Int { reported.count + reportedFurther }

  /// Begins a new scan, which notes the drops that are still blocked.
  mutating func begin() { (current, further, unreported) = ([:], 0, 0) }

  mutating func note(_ name: FileName, _ obstacles: [Obstacle]) {
    if reported[name] == nil, current[name] == nil {
      // A reported drop keeps its entry. Otherwise it would wrongly be reported as no longer blocked.
      guard reported.count + unreported < Self.most else {
        further += 1
        return
      }
      unreported += 1
    }
    current[name] = obstacles
  }

  func isReported(_ name: FileName) -> Bool { reported[name] != nil }

  /// Keeps the entry of a changing drop that was reported as open for writing.
  ///
  /// Otherwise each pause of the writing program, and each end of a pause, would be reported.
  mutating func noteChanging(_ name: FileName) {
    guard let obstacles = reported[name], obstacles.contains(where: \.isOpenForWriting) else { return }
    current[name] = obstacles
  }

  /// The drops with new reasons, and the drops that are no longer blocked; these changes count as reported now.
  ///
  /// - Parameter isWhole: Whether all drops were looked at since `begin`. If not, the drops that weren't looked at may
  ///   still be blocked.
  mutating func report(isWhole: Bool) -> (new: [(name: FileName, obstacles: [Obstacle])], gone: [FileName]) {
    let new = current.filter { reported[$0.key] != $0.value }.sorted { $0.key < $1.key }
    let gone = isWhole ? reported.keys.filter { current[$0] == nil }.sorted() : []
    (reported, unreported) = (isWhole ? current : reported.merging(current) { $1 }, 0)
    reportedFurther = isWhole ? further : max(further, reportedFurther)
    return (new.map { ($0.key, $0.value) }, gone)
  }
}
