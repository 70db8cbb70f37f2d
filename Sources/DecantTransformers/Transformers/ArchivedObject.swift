internal import Foundation
internal import KeyedArchive

/// Archives as values of attributes.
///
/// An archive that can't be read is given as its bytes, and such bytes have to go back as they are. But a `Data` may also
/// be a value itself, which is archived. So a `Data` that is an archive goes back as it is, and any other `Data` is
/// archived, unless this store's archives gave it as the other of the two.
enum ArchivedObject {
  /// The object in an archive.
  ///
  /// - Parameter allowed: The classes that the root object may have; `nil` for all.
  static func value(of data: Data, allowed: [AnyClass]?) throws(ArchivedObjectProblem) -> Any? {
    let object = try ObjectReader.object(of: data, allowed: allowed)
    if let content = object as? NSData, !(object is NSMutableData), isArchive(content as Data) {
      ArchiveScope.current?.remember(content as Data, .value)
    }
    return object
  }

  /// The bytes of an archive that can't be read, as they are given out.
  static func bytes(_ data: Data) -> Data {
    guard let scope = ArchiveScope.current else { return data }
    // What was given out last counts. An archive needs no note unless it was a value before.
    let isArchive = isArchive(data)
    switch scope.knowledge(of: data, isArchive: isArchive) {
    case .new where isArchive, .given(.stored): break
    default: scope.remember(data, .stored)
    }
    return data
  }

  /// The archive of a value.
  static func data(of value: Any) throws(ArchivedObjectProblem) -> Data {
    if let data = value as? Data, !(value is NSMutableData), try isStored(data) { return data }
    return try ObjectWriter.data(of: value)
  }

  /// Whether data are stored bytes, not a value.
  static func isStored(_ data: Data) throws(ArchivedObjectProblem) -> Bool {
    let isArchive = isArchive(data)
    switch ArchiveScope.current?.knowledge(of: data, isArchive: isArchive) {
    case .given(let meaning)?: return meaning == .stored
    case .forgotten(let limit)?: throw .forgottenData(limit: limit)
    case .new?, nil: return isArchive
    }
  }

  private static func isArchive(_ data: Data) -> Bool {
    guard data.starts(with: Array("bplist0".utf8)), let archive = try? Archive(parsing: data) else {
      return false
    }
    return (try? archive.rootOrNil()) != nil
  }
}
