internal import Foundation

/// The state that the writers of one value share: the objects that are being written, and the remaining limits.
///
/// To order the members of a set or the keys of a dictionary, some of them are archived alone, each with a writer of
/// its own.
final class WritingState {
  static let mostDepth = 200
  static let mostObjects = 500_000
  static let mostOrders = 2000
  static let mostSets = 4

  private var depth = 0
  /// The number of objects that may still be written.
  private var objects = mostObjects
  /// The number of set members and dictionary keys that may still be archived alone.
  private var orders = mostOrders
  /// The number of nested sets and dictionaries whose members or keys are being ordered.
  private var sets = 0
  private var open: Set<ObjectIdentifier> = []

  /// Counts an object while it is written.
  func within<Result>(
    _ work: () throws(ArchivedObjectProblem) -> Result
  ) throws(ArchivedObjectProblem) -> Result {
    objects -= 1
    guard objects >= 0 else { throw .tooLarge(limit: Self.mostObjects) }
    guard depth < Self.mostDepth else { throw .tooDeep(limit: Self.mostDepth) }
    depth += 1
    defer { depth -= 1 }
    return try work()
  }

  /// Refuses an object that this writer or another writer is writing already.
  func opening<Result>(
    _ object: NSObject, _ work: () throws(ArchivedObjectProblem) -> Result
  ) throws(ArchivedObjectProblem) -> Result {
    let identity = ObjectIdentifier(object)
    guard open.insert(identity).inserted else { throw .containsItself(type: "\(type(of: object))") }
    defer { open.remove(identity) }
    return try work()
  }

  /// Counts the archive of a set's member or a dictionary's key, and how deep such archives are nested.
  func ordering<Result>(
    _ work: () throws(ArchivedObjectProblem) -> Result
  ) throws(ArchivedObjectProblem) -> Result {
    orders -= 1
    guard orders >= 0 else { throw .tooManyOrders(limit: Self.mostOrders) }
    guard sets < Self.mostSets else { throw .tooManySets(limit: Self.mostSets) }
    sets += 1
    defer { sets -= 1 }
    return try work()
  }
}
