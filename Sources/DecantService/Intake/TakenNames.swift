internal import FileNames

/// The names of the stores that were taken last, and their jobs.
struct TakenNames {
  /// The most names that are kept.
  static let most = 1000

  private var jobs: [FileName: String] = [:]
  private var order: [FileName] = []

  subscript(store: FileName) -> String? { jobs[store] }

  mutating func note(_ store: FileName, job: String) {
    if jobs.updateValue(job, forKey: store) == nil { order.append(store) }
    if order.count > Self.most { jobs[order.removeFirst()] = nil }
  }
}
