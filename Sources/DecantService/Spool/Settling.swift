package import FileNames

/// Detects when an entry in `incoming/` has stopped changing.
///
/// The caller supplies the time.
package struct Settling: Sendable {
  private struct Watched {
    var fingerprint: Fingerprint
    /// Seconds on the caller's clock.
    var since: Double
    /// The order of first sight.
    var order: Int
  }

  private var watched: [FileName: Watched] = [:]
  private var movedIn: Set<FileName> = []
  private var sightings = 0

  package init() {}

  /// Records an observation of a name.
  ///
  /// - Returns: How many seconds the name has been unchanged.
  package mutating func observe(_ name: FileName, _ fingerprint: Fingerprint, at now: Double) -> Double {
    if let known = watched[name], known.fingerprint == fingerprint { return max(0, now - known.since) }
    var order = watched[name]?.order
    if order == nil {
      sightings += 1
      order = sightings
    }
    watched[name] = Watched(fingerprint: fingerprint, since: now, order: order ?? sightings)
    return 0
  }

  /// Restarts a name's time, because it changed.
  package mutating func touch(_ name: FileName, at now: Double) {
    movedIn.remove(name)
    watched[name]?.since = now
  }

  /// Records that a name arrived by one rename and is therefore complete.
  package mutating func noteMovedIn(_ name: FileName) { movedIn.insert(name) }

  /// Whether the name arrived by rename and has not changed since.
  package func cameByRename(_ name: FileName) -> Bool { movedIn.contains(name) }

  /// Forgets all names but these.
  package mutating func keep(_ names: Set<FileName>) {
    watched = watched.filter { names.contains($0.key) }
    movedIn.formIntersection(names)
  }

  /// Forgets which names arrived by rename, because events were lost.
  package mutating func distrustRenames() { movedIn = [] }

  /// The position of a name in the order of first sight.
  package func order(of name: FileName) -> Int { watched[name]?.order ?? Int.max }

  /// The moment when the next waiting name will have settled.
  package func nextDeadline(settleSeconds: Double, after now: Double) -> Double? {
    watched.values.map { $0.since + settleSeconds }.filter { $0 > now }.min()
  }
}
