/// How many members of collections a walk through an archive may still look at.
///
/// A small archive can lead to any number of members, because collections may share them; what a walk costs is
/// therefore counted where it happens.
public struct ArchiveAllowance: Sendable {
  /// What the walk began with.
  public let limit: Int
  private var left: Int

  /// An allowance; the default fits the largest genuine model twenty times.
  public init(limit: Int = 500_000) {
    self.limit = limit
    left = limit
  }

  /// Takes that many members off.
  ///
  /// - Throws: `ArchiveError.tooManyMembers` when none are left.
  public mutating func spend(_ count: Int) throws(ArchiveError) {
    guard count <= left else { throw .tooManyMembers(limit: limit) }
    left -= count
  }
}
