internal import DecantModel

/// Why a synthetic store can't be written.
package enum GeneratingError: Error, Sendable, Hashable, CustomStringConvertible {
  case badRowCount(Int, limit: Int)
  case noConcreteEntity
  case exists(path: String)
  case cannotBeUnique(entity: String, constraint: [String], rows: Int, capacity: UInt64)

  package var description: String {
    switch self {
    case .badRowCount(let rows, let limit):
      "A store of \(counted(rows, "row")) can't be written; give a number from 0 to \(grouped(limit))."
    case .noConcreteEntity: "The model has no entity that isn't abstract, so a store of it holds no rows."
    case .exists(let path): "\(path) exists already; give another path, or allow overwriting."
    case .cannotBeUnique(let entity, let constraint, let rows, let capacity):
      "entity “\(entity)”: the uniqueness constraint on \(constraint.joined(separator: ", ")) allows "
        + "\(counted(capacity, "different row")) where \(grouped(rows)) are wanted; ask for fewer rows."
    }
  }
}
