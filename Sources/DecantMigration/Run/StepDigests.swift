internal import DecantModel
internal import DecantStore
internal import Foundation
internal import PredicateFormat

/// Digests of all inputs of each step.
///
/// The digests are computed at the first request. A store that is built in memory can't be resumed and needs none.
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
  /// The digest of each step's inputs; it covers the earlier steps, too.
  ///
  /// A step's file from an earlier run is discarded if it was made with another digest.
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
      var parts = [Migration.decantVersion, digests.last ?? former.joined(separator: "\n")]
      if !job.checksPages { parts.append("unchecked") }
      parts += try step.digestParts()
      if index == 0 {
        parts += prepared.store.historyStatements
        parts += prepared.history?.filling().flatMap(\.statements) ?? []
      }
      parts += program(index, history: .none(step.destinationLayout)).digestParts
      parts.append(modelCache(index).map { Self.digest([UInt8]($0)) } ?? "")
      digests.append(Self.digest(Array(parts.joined(separator: "\n").utf8)))
    }
    return digests
  }

  private static func digest(_ bytes: [UInt8]) -> String {
    MessageDigest.sha256(bytes).map { String($0, radix: 16) }.joined(separator: ":")
  }
}
