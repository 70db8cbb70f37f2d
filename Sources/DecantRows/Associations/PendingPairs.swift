/// A batch's associations of one entity mapping, in the order in which they came.
final class PendingPairs {
  package struct Pair {
    let source: Int64
    let destination: RowKey
    /// Whether the object was made in this batch.
    let isNew: Bool
  }

  /// New objects of one table whose keys count up together with the keys of their source objects.
  package struct Run {
    let source: Int64
    let destination: Int64
    var length: Int64
  }

  /// The runs; they are used while the keys of both ends ascend and all objects are new and of one table.
  ///
  /// Then no pair can occur twice.
  @exclusivity(unchecked) private(set) var runs: [Run] = []
  private var root = ""
  private(set) var isAscending = true
  private var single: [Pair] = []
  private var bySource: [Int64: [RowKey]] = [:]
  private var byDestination: [RowKey: [Int64]] = [:]

  var pairs: [Pair] {
    guard isAscending else { return single }
    return runs.flatMap { run in
      (0..<run.length).map {
        Pair(source: run.source + $0, destination: RowKey(root: root, key: run.destination + $0), isNew: true)
      }
    }
  }

  /// The source key of the first pair, and the root entity of its object; `nil` if there is no pair.
  var first: (source: Int64, root: String)? {
    isAscending
      ? runs.first.map { ($0.source, root) } : single.first.map { ($0.source, $0.destination.root) }
  }

  func add(_ pair: Pair) {
    if isAscending {
      if extend(pair) { return }
      single = pairs
      isAscending = false
      runs = []
      for pair in single { index(pair) }
    }
    single.append(pair)
    index(pair)
  }

  /// Extends the last run with the pair of a new object, if the pair continues the run.
  ///
  /// Such a pair can't exist already.
  func extend(_ source: Int64, _ destination: RowKey) -> Bool {
    let last = runs.count - 1
    // After the largest possible key, a run can't continue.
    guard last >= 0, runs[last].source &+ runs[last].length == source,
      runs[last].destination &+ runs[last].length == destination.key, root == destination.root
    else { return false }
    runs[last].length += 1
    return true
  }

  private func extend(_ pair: Pair) -> Bool {
    guard pair.isNew else { return false }
    let key = pair.destination.key
    if let last = runs.last {
      guard last.source + (last.length - 1) < pair.source, last.destination + (last.length - 1) < key,
        root == pair.destination.root
      else { return false }
      if last.source + last.length == pair.source, last.destination + last.length == key {
        runs[runs.count - 1].length += 1
        return true
      }
    }
    root = pair.destination.root
    runs.append(Run(source: pair.source, destination: key, length: 1))
    return true
  }

  private func index(_ pair: Pair) {
    bySource[pair.source, default: []].append(pair.destination)
    byDestination[pair.destination, default: []].append(pair.source)
  }

  func contains(_ source: Int64, _ destination: RowKey) -> Bool {
    guard isAscending else { return byDestination[destination]?.contains(source) ?? false }
    return self.destination(of: source) == destination
  }

  func hasDestination(of source: Int64) -> Bool {
    isAscending ? destination(of: source) != nil : bySource[source] != nil
  }

  func destinations(of source: Int64) -> [RowKey] {
    guard isAscending else { return bySource[source] ?? [] }
    return destination(of: source).map { [$0] } ?? []
  }

  func sources(of destination: RowKey) -> [Int64] {
    guard isAscending else { return byDestination[destination] ?? [] }
    guard destination.root == root, let run = run(where: { $0.destination <= destination.key }),
      destination.key - run.destination < run.length
    else { return [] }
    return [run.source + (destination.key - run.destination)]
  }

  private func destination(of source: Int64) -> RowKey? {
    guard let run = run(where: { $0.source <= source }), source - run.source < run.length else { return nil }
    return RowKey(root: root, key: run.destination + (source - run.source))
  }

  /// The last run that begins at or before a key.
  private func run(where begins: (Run) -> Bool) -> Run? {
    // Most searches are for the last run.
    guard let last = runs.last, !begins(last) else { return runs.last }
    var (lower, upper) = (0, runs.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if begins(runs[middle]) { lower = middle + 1 } else { upper = middle }
    }
    return lower == 0 ? nil : runs[lower - 1]
  }
}
