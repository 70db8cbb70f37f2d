/// The number of collection members that a walk through an archive may still read.
///
/// In a small archive a walk can meet billions of members, because collections may share members. So members are
/// counted during the walk.
public struct ArchiveAllowance: Sendable {
  /// The initial number of members.
  public let limit: Int
  private var left: Int

  /// An allowance; the default is many times what genuine models need.
  public init(limit: Int = 500_000) {
    self.limit = limit
    left = limit
  }

  /// Subtracts a number of members.
  ///
  /// - Throws: `ArchiveError.tooManyMembers` if not enough are left.
  public mutating func spend(_ count: Int) throws(ArchiveError) {
    guard count <= left else { throw .tooManyMembers(limit: limit) }
    left -= count
  }
}
