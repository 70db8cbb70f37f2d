package import DecantCatalogue
package import DecantTestSupport
import Foundation

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

extension SharedFixtures {
  package static func family(_ name: String, of set: String = "stores") throws -> Family {
    try FamilyReader(name: name, folder: root.appendingPathComponent("\(set)/\(name)")).read()
  }
}
