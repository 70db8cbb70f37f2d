import DecantTestSupport
import DecantTransformers
import Foundation
import KeyedArchive

/// Transformable attributes for tests: a keyed one and a secure one.
enum ArchivedValues {
  static let keyed = TransformedAttribute("Nota.valor", transformer: nil)
  static let secure = TransformedAttribute("Nota.seguro", transformer: "NSSecureUnarchiveFromData")

  /// The archive of a root object.
  static func archive(_ make: (inout ArchiveWriter) -> PropertyList) -> Data {
    var writer = ArchiveWriter()
    let root = make(&writer)
    return writer.data(root: root)
  }
}
