internal import DecantStore
internal import FileNames
internal import Foundation

/// The folder beside a store with the files of external values (docs/formats/core-data-sqlite.md 7.2).
final class ExternalFiles {
  /// `.NAME_SUPPORT/_EXTERNAL_DATA` beside the store.
  let folder: String
  /// `.NAME_SUPPORT` beside the store.
  let supportFolder: String
  private(set) var count = 0

  init(besideStore path: String) {
    supportFolder = PathText.folder(of: path) + "/" + StoreNames.support(PathText.name(of: path)).text
    folder = supportFolder + "/_EXTERNAL_DATA"
  }

  /// Writes a value into a file and returns the column's value: 02, the file's name, a zero byte.
  func write(_ data: Data, random: inout SplitMix64) throws(StoreError) -> Data {
    let name = Self.uuid(&random).uuidString
    do {
      if count == 0 {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      }
      try data.write(
        to: URL(fileURLWithPath: folder).appendingPathComponent(name), options: .withoutOverwriting)
    } catch {
      throw .files(
        path: folder + "/" + name, action: "written", errno: errno, reason: error.localizedDescription)
    }
    count += 1
    return Data([2]) + Data(name.utf8) + Data([0])
  }

  /// A random UUID (version 4).
  static func uuid(_ random: inout SplitMix64) -> UUID {
    let (high, low) = (random.next(), random.next())
    var bytes = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
