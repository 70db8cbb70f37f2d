internal import Foundation
internal import KeyedArchive
internal import Synchronization

/// Archives as values of attributes.
///
/// An archive that can't be read is given as its bytes, and such bytes have to go back as they are. But a `Data` may also
/// be a value itself, which is archived. So a `Data` that is an archive goes back as it is, and any other `Data` is
/// archived, unless it was given out as the other of the two.
enum ArchivedObject {
  private enum Meaning: Sendable {
    /// The stored bytes.
    case stored
    /// A value, although it looks like an archive.
    case value
  }

  private static let mostRemembered = 100_000
  private static let given = Mutex<[Int: Meaning]>([:])

  /// The object in an archive.
  ///
  /// - Parameter allowed: The classes that the root object may have; `nil` for all.
  static func value(of data: Data, allowed: [AnyClass]?) throws(ArchivedObjectProblem) -> Any? {
    let object = try ObjectReader.object(of: data, allowed: allowed)
    if let content = object as? NSData, !(object is NSMutableData), isArchive(content as Data) {
      remember(content as Data, .value)
    }
    return object
  }

  /// The bytes of an archive that can't be read, as they are given out.
  static func bytes(_ data: Data) -> Data {
    if !isArchive(data) { remember(data, .stored) }
    return data
  }

  /// The archive of a value.
  static func data(of value: Any) throws(ArchivedObjectProblem) -> Data {
    if let data = value as? Data, !(value is NSMutableData), isStored(data) { return data }
    return try ObjectWriter.data(of: value)
  }

  /// Whether data are stored bytes, not a value.
  static func isStored(_ data: Data) -> Bool {
    switch given.withLock({ $0[digest(data)] }) {
    case .stored?: true
    case .value?: false
    case nil: isArchive(data)
    }
  }

  private static func isArchive(_ data: Data) -> Bool {
    guard data.starts(with: Array("bplist0".utf8)), let archive = try? Archive(parsing: data) else {
      return false
    }
    return (try? archive.rootOrNil()) != nil
  }

  private static func remember(_ data: Data, _ meaning: Meaning) {
    let digest = digest(data)
    given.withLock {
      if $0.count >= mostRemembered { $0.removeAll() }
      $0[digest] = meaning
    }
  }

  private static func digest(_ data: Data) -> Int {
    var hasher = Hasher()
    data.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
