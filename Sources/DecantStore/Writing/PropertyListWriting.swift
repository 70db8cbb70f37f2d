package import Foundation
package import KeyedArchive

/// Turns metadata entries into the binary property list of `Z_PLIST`.
package enum PropertyListWriting {
  package static func data(_ entries: [String: PropertyList]) -> Data {
    PropertyList.dictionary(entries).binaryData()
  }
}
