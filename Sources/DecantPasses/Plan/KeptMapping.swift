/// One entity mapping of a step in an association file.
package struct KeptMapping: Sendable, Hashable {
  /// How a mapping made its objects; the raw values are stable words for scripts.
  package enum Way: String, Sendable, Hashable {
    /// By an inferred mapping: every object keeps its key.
    case inferred
    /// By a statement over a set of rows.
    case set
    /// Row by row.
    case rows
    /// By all steps of the path: from the source of the first step to the destination of the last step.
    case chain
  }

  /// The entity mapping's number within the step, from 1.
  package var number: Int
  /// The pass, from 1, and the name of its mapping model.
  package var pass: Int
  package var passName: String
  package var name: String
  package var source: String
  package var destination: String
  package var way: Way
  package var policy: String?

  package init(
    number: Int, pass: Int, passName: String, name: String, source: String, destination: String, way: Way,
    policy: String? = nil
  ) {
    self.number = number
    self.pass = pass
    self.passName = passName
    self.name = name
    self.source = source
    self.destination = destination
    self.way = way
    self.policy = policy
  }
}
