/// Why the value of a transformable attribute can't be read or stored.
package enum TransformProblem: Error, CustomStringConvertible {
  case unreadable(String, ArchivedObjectProblem)
  case unwritable(String, ArchivedObjectProblem)
  case notRegistered(String, transformer: String, found: String)
  case noData(String, transformer: String, value: String, found: String)
  case oneWay(String, transformer: String)

  package var description: String {
    switch self {
    case .unreadable(let label, let problem): "“\(label)” can't be read: \(problem)"
    case .unwritable(let label, let problem): "“\(label)” can't be stored: \(problem)"
    case .notRegistered(let label, let name, let found):
      "“\(label)” was given \(found), but no transformer is registered as “\(name)”; register it with "
        + "ValueTransformer.setValueTransformer(_:forName:), or give the bytes as Data"
    case .noData(let label, let name, let value, let found):
      "“\(label)” can't be stored: its transformer “\(name)” made \(found) of \(value), where Data is needed"
    case .oneWay(let label, let name):
      "“\(label)” can't be read: its transformer “\(name)” doesn't allow reverse transformation"
    }
  }
}
