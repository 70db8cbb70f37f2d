internal import DecantModel
internal import Foundation

/// The files that a policy program's words name: what it does depends on them.
enum ProgramFiles {
  /// The words of the programs of a plan, with the size and time of writing of the files in the family's folder that
  /// they name.
  static func digests(of plan: PassPlan, in folder: String) -> [String] {
    plan.mappings.flatMap { mapping -> [String] in
      guard case .program(let words)? = mapping.mapping.policy else { return [] }
      return words.map { word in
        let path = word.hasPrefix("/") ? word : folder + "/" + word
        guard let data = FileManager.default.contents(atPath: path) else { return word }
        return word + " "
          + MessageDigest.sha256([UInt8](data)).map { String($0, radix: 16) }.joined(separator: ":")
      }
    }
  }
}
