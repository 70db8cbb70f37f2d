import DecantModel
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

extension HeavyFamily {
  /// Migrates in every way and expects the same result each time.
  ///
  /// Chunks have several sizes. Entity mappings without policy run over sets or row by row. Some runs are stopped and
  /// continued.
  ///
  /// - Parameters:
  ///   - sizes: Chunk sizes besides the engine's own.
  ///   - stopSize: The chunk size of the runs that are stopped.
  ///   - places: One run for each number: it is stopped when it has asked that many times whether to stop.
  func checkEveryManner(
    to target: String?, sizes: [Int] = [1, 7], stopSize: Int = 2,
    stops places: [Int] = [1, 3, 8, 20, 45]
  ) throws -> Migrated {
    let first = try #require(try migrate(to: target))
    for step in first.report.steps {
      for rows in step.entities {
        #expect(
          rows.source == rows.made + rows.shared + rows.withoutValue + rows.filtered + rows.refused
            + rows.leftOut, "\(rows.entityMapping)")
      }
    }
    for size in sizes {
      try checkSame(first, try #require(try migrate(to: target, chunkSize: size)), "chunks of \(size)")
    }
    try checkSame(
      first, try #require(try migrate(to: target, chunkSize: sizes.last, goesByRows: true)), "row by row")
    var stops = 0
    for stop in places {
      guard let result = try migrate(to: target, chunkSize: stopSize, stop: stop) else { break }
      try checkSame(first, result, "stopped after \(stop) looks")
      stops += 1
    }
    #expect(stops > 1, "the run is over too soon to be stopped")
    return first
  }

  private func checkSame(_ first: Migrated, _ other: Migrated, _ manner: String) throws {
    #expect(other.store.lines == first.store.lines, "\(manner): something else comes out")
    #expect(other.report.steps.map(\.entities) == first.report.steps.map(\.entities), "\(manner)")
    #expect(other.report.steps.map(\.joinRows) == first.report.steps.map(\.joinRows), "\(manner)")
  }

  /// Checks that the step is refused without its policies, and that the failure names the class and the mapping model.
  func checkRefusal(to target: String?, naming policy: String, in mappingModel: String) throws {
    let failure = #expect(throws: MigrationFailure.self) {
      try Migration.run(job(to: target, withPolicies: false, output: "refused"))
    }
    #expect(failure?.reason == .needsPolicy)
    let message = ([failure?.message ?? ""] + (failure?.details ?? [])).joined(separator: "\n")
    #expect(message.contains(policy), "\(message)")
    #expect(message.contains("/\(mappingModel)"), "\(message)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("refused/\(source.lastPathComponent)")))
  }
}

extension Migrated {
  /// The rows of all steps as `NoteToNote 5 = 3 + 2`: source, migrated, filtered or without value.
  ///
  /// The number of objects that a policy leaves out follows after ` - `.
  var allAccounts: [String] {
    report.steps.flatMap { step in
      step.entities.map { rows in
        "\(rows.entityMapping) \(rows.source) = \(rows.migrated)"
          + (rows.filtered + rows.withoutValue > 0 ? " + \(rows.filtered + rows.withoutValue)" : "")
          + (rows.leftOut > 0 ? " - \(rows.leftOut)" : "")
      }
    }
  }

  /// The number of objects of each entity in the result.
  var counts: [String: Int] { store.counts }

  /// The differences in the properties that both versions have.
  ///
  /// `Z_OPT`, the number of saves, isn't compared.
  var changes: [String] {
    MeaningComparison(source: source, result: store).differences.filter { !$0.hasSuffix("Z_OPT") }
  }
}

extension LogicalStore {
  var counts: [String: Int] { Dictionary(grouping: objects.keys, by: \.entity).mapValues(\.count) }

  /// The objects of one entity in the order of their keys.
  func all(_ entity: String) -> [(key: Key, object: Object)] {
    objects.filter { $0.key.entity == entity }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The pairs that the other end of their relationship doesn't have.
  var oneSided: [String] {
    var found: [String] = []
    for (key, object) in objects {
      for relationship in model.relationships(of: key.entity) {
        guard let inverse = model.inverse(of: relationship)?.relationship else { continue }
        let name = relationship.name
        for target in (object.toMany[name] ?? []) + (object.toOne[name].map { [$0] } ?? []) {
          let back = objects[target].map {
            ($0.toMany[inverse.name] ?? []) + ($0.toOne[inverse.name].map { [$0] } ?? [])
          }
          if back?.contains(key) != true { found.append("\(key).\(name) → \(target)") }
        }
      }
    }
    return found.sorted()
  }
}

extension LogicalStore.Object {
  func text(_ name: String) -> String? {
    if case .text(let text)? = attributes[name] { text } else { nil }
  }

  func integer(_ name: String) -> Int64? { attributes[name]?.integer }

  /// The value of an attribute that is a number of any type.
  func number(_ name: String) -> Double? {
    switch attributes[name] {
    case .real(let number)?: number
    case .integer(let number)?: Double(number)
    default: nil
    }
  }

  func data(_ name: String) -> Data? {
    if case .blob(let data)? = attributes[name] { data } else { nil }
  }
}
