/// Digests of all that each step's result depends on, worked out when somebody asks for one: a store that is built in
/// memory has nothing that it could go on from.
final class StepDigests {
  private let make: () throws -> [String]
  private var made: [String]?

  init(_ make: @escaping () throws -> [String]) { self.make = make }

  /// The digest of a step, from 0.
  func of(_ step: Int) throws -> String {
    if let made { return made[step] }
    let all = try make()
    made = all
    return all[step]
  }
}
