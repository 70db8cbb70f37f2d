package import DecantCatalogue
import DecantTestSupport
package import Foundation

extension FamilyReader {
  /// The family.
  ///
  /// - Throws: The first fault of a broken family.
  package func read() throws -> Family {
    switch state() {
    case .ready(let family): return family
    case .broken(let broken): throw broken.faults[0]
    }
  }
}

/// The genuine models beside the package, if they exist.
package enum Fixtures {
  /// `../shared/fixtures` beside the package; `nil` if it doesn't exist.
  package static let folder: URL? = {
    let package = Repository.root
    let folder = package.deletingLastPathComponent().appendingPathComponent("shared/fixtures")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  package static let absence = "The genuine stores and models (../shared/fixtures) aren't beside the package."

  package static func family(_ name: String, of set: String = "stores") throws -> Family {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return try FamilyReader(name: name, folder: folder.appendingPathComponent("\(set)/\(name)")).read()
  }
}
