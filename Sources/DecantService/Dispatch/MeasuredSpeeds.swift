/// The speeds of earlier jobs, by the family and the version of their stores.
///
/// A store's family and version are known when a worker has opened it. Before that, they are guessed from the file
/// name, because an app gives its stores the same name.
package struct MeasuredSpeeds: Sendable {
  /// A kind of store that has one speed: the stores of one version of a family.
  package struct Kind: Sendable, Hashable {
    package var family: String
    package var version: String

    package init(family: String, version: String) { (self.family, self.version) = (family, version) }
  }

  /// The largest number of kinds, and of file names, that are kept.
  static let most = 1000
  /// The shortest time in seconds that gives a speed; a shorter job needs most of its time to start.
  static let leastSeconds = 1.0
  /// The weight of a new measurement in the average.
  private static let share = 0.3

  private var bytesPerSecond: [Kind: Double] = [:]
  private var kinds: [String: Kind] = [:]

  package init() {}

  package mutating func note(_ kind: Kind, of store: String) {
    if kinds.count >= Self.most, kinds[store] == nil { kinds = [:] }
    kinds[store] = kind
  }

  package mutating func add(bytes: Int64, seconds: Double, of kind: Kind) {
    guard bytes > 0, seconds >= Self.leastSeconds else { return }
    let speed = Double(bytes) / seconds
    if bytesPerSecond.count >= Self.most, bytesPerSecond[kind] == nil { bytesPerSecond = [:] }
    bytesPerSecond[kind] = bytesPerSecond[kind].map { $0 + Self.share * (speed - $0) } ?? speed
  }

  /// Adds the speed of a job that still runs, if the kind of its store is known and has no speed yet.
  ///
  /// - Parameter seconds: The seconds that the job has taken so far, with the estimate of the rest.
  package mutating func add(bytes: Int64, secondsSoFar seconds: Double, store: String) {
    guard let kind = kinds[store], bytesPerSecond[kind] == nil else { return }
    add(bytes: bytes, seconds: seconds, of: kind)
  }

  /// The seconds that a store is expected to take; `nil` if no speed of its kind is known.
  package func expectedSeconds(bytes: Int64, store: String) -> Double? {
    kinds[store].flatMap { bytesPerSecond[$0] }.map { Double(max(0, bytes)) / $0 }
  }
}
