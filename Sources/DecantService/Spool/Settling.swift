package import FileNames

/// Detects when an entry in `incoming/` has stopped changing.
///
/// The caller supplies the time. There may be very many entries, so each takes few bytes.
package struct Settling: Sendable {
  private struct Watched {
    var fingerprint = Fingerprint()
    /// Seconds on the caller's clock.
    var since = 0.0
    /// The order of first sight; 0 for a name that was not looked at.
    var order = 0
    /// Whether it arrived by rename and has not changed since.
    var cameByRename = false
    /// Whether it has changed since it was looked at.
    var isTouched = false
  }

  /// The names of the last scan.
  package private(set) var names = NameList()
  /// The state of each name, in the same order.
  private var watched: [Watched] = []
  /// The names that arrived by rename since the last scan, as hashes.
  private var movedIn: Set<Int> = []
  private var sightings = 0

  package init() {}

  /// Takes the names of a new scan, and forgets all others.
  package mutating func renew(_ names: NameList) {
    var (watched, old) = ([Watched](), 0)
    watched.reserveCapacity(names.count)
    for index in names.indices {
      while old < self.names.count, names.compare(index, with: old, of: self.names) > 0 { old += 1 }
      let isKnown = old < self.names.count && names.compare(index, with: old, of: self.names) == 0
      var state = isKnown ? self.watched[old] : Watched()
      if !movedIn.isEmpty, movedIn.contains(names[index].hashValue) { state.cameByRename = true }
      watched.append(state)
    }
    (self.names, self.watched, movedIn) = (names, watched, [])
  }

  /// Records an observation of a name.
  ///
  /// - Returns: How many seconds the name has been unchanged.
  package mutating func observe(_ index: Int, _ fingerprint: Fingerprint, at now: Double) -> Double {
    watched[index].isTouched = false
    if watched[index].order > 0, watched[index].fingerprint == fingerprint {
      return max(0, now - watched[index].since)
    }
    if watched[index].order == 0 {
      sightings += 1
      watched[index].order = sightings
    }
    (watched[index].fingerprint, watched[index].since) = (fingerprint, now)
    return 0
  }

  /// Restarts a name's time, because it changed.
  package mutating func touch(_ name: FileName, at now: Double) {
    if !movedIn.isEmpty { movedIn.remove(name.hashValue) }
    guard let index = names.index(of: name) else { return }
    watched[index].since = now
    watched[index].cameByRename = false
    watched[index].isTouched = true
  }

  /// Records that a name arrived by one rename and is therefore complete.
  package mutating func noteMovedIn(_ name: FileName) { movedIn.insert(name.hashValue) }

  /// Whether the name arrived by rename and has not changed since.
  package func cameByRename(_ index: Int) -> Bool { watched[index].cameByRename }

  /// Whether the name is still as it was observed, by a new look at it.
  package func isUnchanged(_ index: Int, _ fingerprint: Fingerprint) -> Bool {
    !watched[index].isTouched && watched[index].fingerprint == fingerprint
  }

  /// Forgets which names arrived by rename, because events were lost.
  package mutating func distrustRenames() {
    movedIn = []
    for index in watched.indices { watched[index].cameByRename = false }
  }

  /// The position of a name in the order of first sight.
  package func order(of index: Int) -> Int { watched[index].order }

  /// The moment when the next waiting name will have settled.
  package func nextDeadline(settleSeconds: Double, after now: Double) -> Double? {
    var next: Double?
    for state in watched where state.order > 0 {
      let moment = state.since + settleSeconds
      if moment > now { next = min(next ?? moment, moment) }
    }
    return next
  }
}
