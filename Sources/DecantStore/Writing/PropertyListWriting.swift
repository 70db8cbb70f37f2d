internal import Foundation
internal import KeyedArchive

/// Turns metadata entries into the binary property list of `Z_PLIST`.
enum PropertyListWriting {
  static func data(_ entries: [String: PropertyList]) -> Data { PropertyList.dictionary(entries).binaryData() }
}
