internal import DecantSpool

/// The settled drops that are not taken yet, in the order of arrival.
///
/// Each drop is stored as the index of its name in the last scan.
struct Backlog {
  /// The largest number of jobs in `work/` that don't wait for the catalogue; further drops wait in `incoming/`.
  static let mostJobs = 1000
  /// The largest number of jobs in `work/` that wait for the catalogue.
  ///
  /// Below this number, stores of other families are still taken.
  static let mostHeld = 5000

  private var drops: ArraySlice<UInt32> = []
  /// Whether `work/` held as many jobs as it may, and isn't half empty again.
  private(set) var isFull = false
  /// Whether the backlog was cleared after the last `fill`.
  private(set) var wasCleared = false

  var isEmpty: Bool { drops.isEmpty }
  var count: Int { drops.count }

  /// The number of jobs that count against `mostJobs`.
  ///
  /// With `mostHeld` held jobs or more, the number is at least `mostJobs`, so that no drop is taken.
  static func load(jobs: Int, held: Int) -> Int { held < mostHeld ? jobs - held : max(mostJobs, jobs - held) }

  /// Replaces the backlog by the drops of a new scan.
  mutating func fill(_ drops: [UInt32]) { (self.drops, isFull, wasCleared) = (drops[...], false, false) }

  mutating func clear() { (drops, isFull, wasCleared) = ([], false, true) }

  /// Whether drops can be taken again; a full `work/` first has to become half empty.
  mutating func opens(forJobs jobs: Int) -> Bool {
    guard !drops.isEmpty, !isFull || jobs <= Self.mostJobs / 2 else { return false }
    isFull = false
    return true
  }

  /// Takes the next drops: at most the wanted number, and at most the number that `work/` has room for.
  ///
  /// - Parameter look: Returns the drop at an index in its current state; `nil` if it can't be taken now.
  mutating func next(_ wanted: Int, jobs: Int, look: (Int) -> Drop?) -> [Drop] {
    var batch: [Drop] = []
    while batch.count < wanted, let place = drops.first {
      guard jobs + batch.count < Self.mostJobs else {
        isFull = true
        break
      }
      if let drop = look(Int(place)) { batch.append(drop) }
      drops.removeFirst()
    }
    if drops.isEmpty { drops = [] }
    return batch
  }
}
