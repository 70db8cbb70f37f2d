/// A list of rows in the order in which they came, stored as runs of keys.
struct KeyRuns {
  private struct Run {
    let first: RowKey
    var length: Int64
  }

  private var runs: [Run] = []
  private(set) var count = 0

  mutating func append(_ place: RowKey) {
    count += 1
    let last = runs.count - 1
    if last >= 0, runs[last].first.key &+ runs[last].length == place.key, runs[last].first.root == place.root {
      runs[last].length += 1
    } else {
      runs.append(Run(first: place, length: 1))
    }
  }

  var keys: some Sequence<RowKey> {
    runs.lazy.flatMap { run in
      (0..<run.length).lazy.map { RowKey(root: run.first.root, key: run.first.key + $0) }
    }
  }
}
