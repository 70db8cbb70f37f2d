internal import Foundation

/// UUIDs in columns (docs/formats/core-data-sqlite.md 7.1): 16 bytes, in the order of the written form.
enum UUIDColumn {
  static func uuid(_ data: Data) throws -> UUID {
    guard data.count == 16 else { throw TaggedValue.Malformed() }
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: data) }
    return UUID(uuid: bytes)
  }

  static func data(_ uuid: UUID) -> Data { withUnsafeBytes(of: uuid.uuid) { Data($0) } }
}
