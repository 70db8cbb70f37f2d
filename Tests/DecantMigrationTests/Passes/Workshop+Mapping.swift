import Foundation
import Testing

@testable import DecantMigration

extension Workshop {
  /// Writes the mapping model `Step` as text, by default from `V1` to `V2`.
  func map(from source: String = "V1", to destination: String = "V2", _ entityMappings: String) throws {
    try map("Step", entityMappings, further: "", source: source, destination: destination)
  }

  /// Writes a mapping model as text, with further keys.
  func map(
    _ name: String, _ entityMappings: String, further: String, source: String = "V1", destination: String = "V2"
  ) throws {
    try folder.write(
      "{ name: \"\(name)\", source: \"\(source)\", destination: \"\(destination)\", \(further)\n"
        + "entityMappings: [\(entityMappings)] }", to: "models/Notes/\(name).mapping.json5")
  }

  /// Migrates and returns the lines of the result.
  func lines(chunkSize: Int? = nil) throws -> [String] { try migrate(chunkSize: chunkSize).lines }
}

extension Migrated {
  /// The last step's rows as `NoteToNote 5 = 3 + 2`: source, migrated, filtered or without value.
  var accounts: [String] {
    report.steps.last?.entities.map {
      "\($0.entityMapping) \($0.source) = \($0.migrated) + \($0.filtered + $0.withoutValue)"
    } ?? []
  }

  /// The warnings about replaced pairs.
  var displaced: [String] { report.warnings.filter { $0.contains(" replaced pairs ") } }
}
