internal import FileNames

/// The settled drops that are not taken yet, in the order of arrival.
struct Backlog {
  /// The most jobs in `work/`; further drops wait in `incoming/`.
  static let mostJobs = 1000

  private var drops: ArraySlice<Drop> = []
  /// The names that have changed since the scan.
  private var touched: Set<FileName> = []
  /// Whether `work/` holds as many jobs as it may.
  private(set) var isFull = false

  var isEmpty: Bool { drops.isEmpty }

  /// Replaces the backlog by the drops of a new scan.
  mutating func fill(_ drops: [Drop]) { (self.drops, touched) = (drops[...], []) }

  mutating func clear() { drops = [] }

  mutating func touch(_ name: FileName) { if !drops.isEmpty { touched.insert(name) } }

  /// Whether drops can be taken again; a full `work/` first has to become half empty.
  mutating func opens(forJobs jobs: Int) -> Bool {
    guard !drops.isEmpty, !isFull || jobs <= Self.mostJobs / 2 else { return false }
    isFull = false
    return true
  }

  /// Takes the next drops: at most the wanted number, and at most the number that `work/` has room for.
  ///
  /// - Parameter jobs: The number of jobs in `work/`.
  mutating func next(_ wanted: Int, jobs: Int) -> [Drop] {
    var batch: [Drop] = []
    while batch.count < wanted, let drop = drops.first {
      guard jobs + batch.count < Self.mostJobs else {
        isFull = true
        break
      }
      // A touched drop may have changed since the scan.
      if !touched.contains(drop.name) { batch.append(drop) }
      drops.removeFirst()
    }
    return batch
  }
}
