/// How two collections are combined.
public enum SetOperator: String, CaseIterable, Hashable, Sendable {
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"
}
