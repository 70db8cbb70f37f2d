import DecantTestSupport
import Foundation

@testable import DecantMapping

/// The mapping models of the fixtures.
enum GenuineMappings {
  /// The files and folders with that ending below the fixtures' folder, in the order of their paths.
  static func all(_ ending: String) -> [URL] {
    let paths =
      FileManager.default.enumerator(atPath: SharedFixtures.root.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(ending) }.sorted().map { SharedFixtures.root.appendingPathComponent($0) }
  }

  static let sources = all(".xcmappingmodel")

  /// The content of each source or the error, read once.
  static let readings = Dictionary(
    uniqueKeysWithValues: sources.map { url in
      (url, Result { () throws(MappingModelError) in try MappingModelReading.read(at: url) })
    })

  static func read(_ url: URL) throws -> MappingModelReading {
    try readings[url]?.get() ?? MappingModelReading.read(at: url)
  }

  /// Each compiled file, with the source of the same mapping model that lies beside it.
  static let twins: [(compiled: URL, source: URL)] = all(".cdm").map {
    ($0, $0.deletingPathExtension().appendingPathExtension("xcmappingmodel"))
  }

  /// The name of the file's folder and the file's own name.
  static func label(_ url: URL) -> String {
    "\(url.deletingLastPathComponent().lastPathComponent)/\(url.lastPathComponent)"
  }
}

extension MappingModel {
  /// The mapping model without its origin, and without rows that have no value.
  var comparable: MappingModel {
    var model = self
    model.origin = .inferred
    for index in model.entityMappings.indices {
      model.entityMappings[index].attributeMappings.removeAll { $0.value == .unset }
      model.entityMappings[index].relationshipMappings.removeAll { $0.value == .unset }
    }
    return model
  }
}
