internal import DecantStore

/// Why a step can't be finished.
enum StepFailure: Error, CustomStringConvertible {
  case stopped
  case duplicates(entity: String, constraint: [String], count: Int, example: String)
  case rowsDiffer(entityMapping: String, source: Int, destination: Int)
  case damagedResult(findings: [String])

  var description: String {
    switch self {
    case .stopped: "The migration was stopped between two chunks."
    case .duplicates(let entity, let constraint, let count, let example):
      "Entity “\(entity)”: \(count) values of the unique \(constraint.map { "“\($0)”" }.joined(separator: " + ")) occur "
        + "more than once, such as \(example)."
    case .rowsDiffer(let mapping, let source, let destination):
      "Entity mapping “\(mapping)”: the source has \(source) objects, the result \(destination)."
    case .damagedResult(let findings):
      "The result fails SQLite's check: \(findings.prefix(3).joined(separator: "; "))."
    }
  }
}
