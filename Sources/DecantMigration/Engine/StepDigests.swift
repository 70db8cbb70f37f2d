internal import DecantModel
internal import DecantStore
internal import Foundation
internal import PredicateFormat

/// Digests of all inputs of each step.
///
/// They are computed at the first request: a store that is built in memory can't be resumed and needs none.
final class StepDigests {
  private let make: () throws -> [String]
  private var made: [String]?

  init(_ make: @escaping () throws -> [String]) { self.make = make }

  /// The digest of a step, counted from 0.
  func of(_ step: Int) throws -> String {
    if let made { return made[step] }
    let all = try make()
    made = all
    return all[step]
  }
}

extension JobRun {
  /// The digests of each step's inputs, including the steps before; a file with another digest is discarded.
  func digests() throws -> [String] {
    var former: [String] = [
      prepared.store.metadata.uuid, "\(prepared.family.configuration.strayRows)",
    ]
    for suffix in ["", "-wal", "-journal"] {
      var status = stat()
      guard stat(job.source.path + suffix, &status) == 0 else { continue }
      former.append("\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)")
    }
    var digests: [String] = []
    for (index, step) in prepared.steps.enumerated() {
      let program = try program(
        index, history: (index == 0 ? prepared.history : nil) ?? .none(step.destinationLayout))
      var parts = [Migration.decantVersion, digests.last ?? former.joined(separator: "\n")]
      if !job.checksPages { parts.append("unchecked") }
      parts += [step.source.hashes.digest, step.destination.hashes.digest]
      parts += step.destination.model.versionIdentifiers
      parts.append(String(step.destinationLayout.framework.number))
      parts += try SchemaStatements(step.destinationLayout).all
      if index == 0 { parts += prepared.store.historyStatements }
      parts += (program.filling + program.checking).flatMap(\.statements)
      parts += program.filling.compactMap { $0.numbering.map { "\($0)" } }
      parts += program.digestParts
      parts += program.quarantine?.digestParts ?? []
      parts += validationParts(of: step, isLast: index + 1 == prepared.steps.count)
      parts.append(step.modelCache.map { Self.digest([UInt8]($0)) } ?? "")
      digests.append(Self.digest(Array(parts.joined(separator: "\n").utf8)))
    }
    return digests
  }

  /// The settings and rules that decide which objects are checked, and what is done about them.
  ///
  /// The hashes of a version don't include its rules.
  private func validationParts(of step: PreparedJob.Step, isLast: Bool) -> [String] {
    let rules = step.destination.model.entities.flatMap { entity in
      entity.attributes.map {
        "\(entity.name).\($0.name) \($0.isOptional) \($0.limits) \($0.validationPredicates)"
      }
        + entity.relationships.map {
          "\(entity.name).\($0.name) \($0.isOptional) \($0.minimumCount) \($0.maximumCount) \($0.validationPredicates)"
        }
    }
    let modes = step.mappingModels.map { "\(String(describing: $0.validation))" }
    return ["\(isLast) \(prepared.steps.allSatisfy { $0.mapping != nil })"]
      + ["\(String(describing: prepared.family.configuration.validation?.mode))"] + modes + rules
  }

  private static func digest(_ bytes: [UInt8]) -> String {
    MessageDigest.sha256(bytes).map { String($0, radix: 16) }.joined(separator: ":")
  }
}
