internal import Foundation
internal import KeyedArchive

/// Converts archives to the values of transformable attributes, and values to archives.
///
/// If an archive can't be read, a policy gets its bytes. If the policy sets them as a value, they must be stored
/// unchanged. But a `Data` may also be a value itself, which must be archived. The rules:
/// - A `StoredBytes`, the object that the policy got, is stored unchanged.
/// - A `Data` that is an archive is stored unchanged, unless an archive of this store gave it as a value.
/// - Any other `Data` is archived, unless the policy took equal bytes out of a `StoredBytes`. Such a `Data` is stored
///   unchanged while the same object is migrated. Later it is refused, because it may be a value or stored bytes.
/// - If the policies got so many values that the oldest are forgotten, a `Data` that may be a forgotten one is refused.
enum ArchivedObject {
  /// The object in an archive.
  ///
  /// - Returns: `nil` for an archive of nil.
  static func value(of data: Data, allowed: [AnyClass]?) throws(ArchivedObjectProblem) -> Any? {
    let object = try ObjectReader.object(of: data, allowed: allowed)
    if let content = object as? NSData, !(object is NSMutableData), isArchive(content as Data) {
      ArchiveScope.current?.remember(content as Data, .value)
    }
    return object
  }

  /// Stored bytes in the form in which a policy gets them.
  static func bytes(_ data: Data) -> Any {
    let scope = ArchiveScope.current
    return StoredBytes(data) { if let scope { note(data, in: scope) } }
  }

  /// Notes that a policy has taken stored bytes as Data.
  static func note(_ data: Data, in scope: ArchiveScope) {
    // The latest meaning counts. An archive that wasn't given out before needs no note: it is stored unchanged anyway.
    let isArchive = isArchive(data)
    if case .new = scope.knowledge(of: data, isArchive: isArchive), isArchive { return }
    scope.remember(data, .stored)
  }

  static func data(of value: Any) throws(ArchivedObjectProblem) -> Data {
    if let data = try stored(value) { return data }
    return try ObjectWriter.data(of: value)
  }

  /// The bytes of a value that are stored as they are; `nil` for a value to archive.
  static func stored(_ value: Any) throws(ArchivedObjectProblem) -> Data? {
    if let given = value as? StoredBytes { return given.data }
    guard let data = value as? Data, !(value is NSMutableData) else { return nil }
    let isArchive = isArchive(data)
    switch ArchiveScope.current?.knowledge(of: data, isArchive: isArchive) {
    case .given(.storedEarlier)?: if isArchive { return data } else { throw .earlierData }
    case .given(let meaning)?: return meaning == .stored ? data : nil
    case .forgotten(let limit)?: throw .forgottenData(limit: limit)
    case .new?, nil: return isArchive ? data : nil
    }
  }

  private static func isArchive(_ data: Data) -> Bool {
    guard data.starts(with: Array("bplist0".utf8)), let archive = try? Archive(parsing: data) else {
      return false
    }
    return (try? archive.rootOrNil()) != nil
  }
}
