package import FileNames

/// Detects when an entry in `incoming/` has stopped changing.
///
/// The caller supplies the time. There may be very many entries, so each takes few bytes: 25 beside its name.
package struct Settling: Sendable {
  private struct Marks: OptionSet {
    let rawValue: UInt8
    /// The entry arrived by rename and has not changed since.
    static let cameByRename = Marks(rawValue: 1)
    /// The entry has changed since the last observation.
    static let isTouched = Marks(rawValue: 2)
  }

  /// The names of the last scan.
  package private(set) var names = NameList()
  // The state of each name, in the same order. A new scan moves one list after the other, so that there is never a
  // second copy of all of them.
  private var fingerprints: [Fingerprint] = []
  /// When the last change of each entry was seen, in seconds on the caller's clock.
  private var since: [Double] = []
  /// The order of the first observations, from 1; 0 for a name without an observation.
  private var orders: [Int] = []
  private var marks: [Marks] = []
  /// The names that arrived by rename since the last scan, as hashes.
  private var movedIn: Set<Int> = []
  private var sightings = 0

  package init() {}

  /// Takes the names of a new scan, and forgets all others.
  package mutating func renew(_ names: NameList) {
    var old = 0
    // A list has at most 4 GiB of names, so no index is `UInt32.max`.
    let former = names.indices.map { index -> UInt32 in
      while old < self.names.count, names.compare(index, with: old, of: self.names) > 0 { old += 1 }
      let isKnown = old < self.names.count && names.compare(index, with: old, of: self.names) == 0
      return isKnown ? UInt32(old) : .max
    }
    self.names = names
    Self.move(&fingerprints, from: former, new: Fingerprint())
    Self.move(&since, from: former, new: 0)
    Self.move(&orders, from: former, new: 0)
    Self.move(&marks, from: former, new: [])
    guard !movedIn.isEmpty else { return }
    for index in names.indices where movedIn.contains(names[index].hashValue) {
      marks[index].insert(.cameByRename)
    }
    movedIn = []
  }

  private static func move<State>(_ states: inout [State], from former: [UInt32], new: State) {
    states = former.map { $0 == .max ? new : states[Int($0)] }
  }

  /// Records an observation of a name.
  ///
  /// - Returns: How many seconds the name has been unchanged.
  package mutating func observe(_ index: Int, _ fingerprint: Fingerprint, at now: Double) -> Double {
    marks[index].remove(.isTouched)
    if orders[index] > 0, fingerprints[index] == fingerprint { return max(0, now - since[index]) }
    if orders[index] == 0 {
      sightings += 1
      orders[index] = sightings
    }
    (fingerprints[index], since[index]) = (fingerprint, now)
    return 0
  }

  /// Restarts the time of a name that has changed.
  package mutating func touch(_ name: FileName, at now: Double) {
    if !movedIn.isEmpty { movedIn.remove(name.hashValue) }
    guard let index = names.index(of: name) else { return }
    since[index] = now
    marks[index] = .isTouched
  }

  /// Records that a name arrived by one rename and is therefore complete.
  package mutating func noteMovedIn(_ name: FileName) { movedIn.insert(name.hashValue) }

  package func cameByRename(_ index: Int) -> Bool { marks[index].contains(.cameByRename) }

  /// Whether a new fingerprint equals the observed one, and no change was reported since.
  package func isUnchanged(_ index: Int, _ fingerprint: Fingerprint) -> Bool {
    !marks[index].contains(.isTouched) && fingerprints[index] == fingerprint
  }

  /// Forgets which names arrived by rename.
  package mutating func distrustRenames() {
    movedIn = []
    for index in marks.indices { marks[index].remove(.cameByRename) }
  }

  /// The position of a name in the order of the first observations, from 1; 0 without an observation.
  package func order(of index: Int) -> Int { orders[index] }

  /// The moment after `now` when the next name will have settled; `nil` if there is none.
  package func nextDeadline(settleSeconds: Double, after now: Double) -> Double? {
    var next: Double?
    for index in orders.indices where orders[index] > 0 {
      let moment = since[index] + settleSeconds
      if moment > now { next = min(next ?? moment, moment) }
    }
    return next
  }
}
