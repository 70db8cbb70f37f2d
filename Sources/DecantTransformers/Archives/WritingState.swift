internal import Foundation

/// What the writers of one value share: the objects that are being written, and what may still be written.
///
/// The order of a set's members needs archives of their own, each of which has a writer.
final class WritingState {
  static let mostDepth = 200
  static let mostObjects = 500_000
  static let mostOrders = 2000
  static let mostSets = 4

  private var depth = 0
  private var objects = mostObjects
  /// The members of sets, and keys, whose order needs an archive of their own.
  private var orders = mostOrders
  /// The sets whose order is being found.
  private var sets = 0
  private var open: Set<ObjectIdentifier> = []

  /// Counts an object while it is written.
  func within<Result>(
    _ work: () throws(ArchivedObjectProblem) -> Result
  ) throws(ArchivedObjectProblem) -> Result {
    objects -= 1
    guard objects > 0 else { throw .tooLarge(limit: Self.mostObjects) }
    guard depth < Self.mostDepth else { throw .tooDeep(limit: Self.mostDepth) }
    depth += 1
    defer { depth -= 1 }
    return try work()
  }

  /// Refuses an object that is being written already, by this writer or another one.
  func opening<Result>(
    _ object: NSObject, _ work: () throws(ArchivedObjectProblem) -> Result
  ) throws(ArchivedObjectProblem) -> Result {
    let identity = ObjectIdentifier(object)
    guard open.insert(identity).inserted else { throw .containsItself(type: "\(type(of: object))") }
    defer { open.remove(identity) }
    return try work()
  }

  /// Counts the archive of a set's member, and the sets around it.
  func ordering<Result>(
    _ work: () throws(ArchivedObjectProblem) -> Result
  ) throws(ArchivedObjectProblem) -> Result {
    orders -= 1
    guard orders > 0 else { throw .tooManyOrders(limit: Self.mostOrders) }
    guard sets < Self.mostSets else { throw .tooManySets(limit: Self.mostSets) }
    sets += 1
    defer { sets -= 1 }
    return try work()
  }
}
