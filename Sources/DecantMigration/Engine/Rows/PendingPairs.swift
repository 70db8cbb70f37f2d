/// What a batch has associated under one entity mapping, in the order in which it came.
struct PendingPairs {
  struct Pair {
    let source: Int64
    let destination: RowKey
    /// Whether the object was made in this batch.
    let isNew: Bool
  }

  private(set) var pairs: [Pair] = []
  /// Whether the keys of both ends count up, all objects being new ones of one family: nothing can be there twice then.
  private(set) var isAscending = true
  private var bySource: [Int64: [RowKey]] = [:]
  private var byDestination: [RowKey: [Int64]] = [:]

  mutating func add(_ pair: Pair) {
    if isAscending, !ascends(to: pair) {
      isAscending = false
      for pair in pairs { index(pair) }
    }
    pairs.append(pair)
    if !isAscending { index(pair) }
  }

  private func ascends(to pair: Pair) -> Bool {
    guard pair.isNew else { return false }
    guard let last = pairs.last else { return true }
    return last.source < pair.source && last.destination.key < pair.destination.key
      && last.destination.root == pair.destination.root
  }

  private mutating func index(_ pair: Pair) {
    bySource[pair.source, default: []].append(pair.destination)
    byDestination[pair.destination, default: []].append(pair.source)
  }

  func contains(_ source: Int64, _ destination: RowKey) -> Bool {
    guard isAscending else { return byDestination[destination]?.contains(source) ?? false }
    return place(of: source).map { pairs[$0].destination == destination } ?? false
  }

  func hasDestination(of source: Int64) -> Bool {
    isAscending ? place(of: source) != nil : bySource[source] != nil
  }

  func destinations(of source: Int64) -> [RowKey] {
    guard isAscending else { return bySource[source] ?? [] }
    return place(of: source).map { [pairs[$0].destination] } ?? []
  }

  func sources(of destination: RowKey) -> [Int64] {
    guard isAscending else { return byDestination[destination] ?? [] }
    let place = Self.place(pairs.count) { pairs[$0].destination.key < destination.key }
    guard place < pairs.count, pairs[place].destination == destination else { return [] }
    return [pairs[place].source]
  }

  private func place(of source: Int64) -> Int? {
    // Whoever asks mostly asks for the last one.
    if let last = pairs.last, last.source <= source { return last.source == source ? pairs.count - 1 : nil }
    let place = Self.place(pairs.count) { pairs[$0].source < source }
    return place < pairs.count && pairs[place].source == source ? place : nil
  }

  /// The first of some places at which something no longer holds.
  private static func place(_ count: Int, _ holds: (Int) -> Bool) -> Int {
    var (lower, upper) = (0, count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if holds(middle) { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }
}
