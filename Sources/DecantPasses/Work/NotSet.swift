/// An expression that can't run as SQL over a whole set of rows, with the reason.
package struct NotSet: Error, CustomStringConvertible {
  let entityMapping: String
  let property: String?
  let reason: String

  package var description: String {
    "“\(entityMapping)”" + (property.map { ", “\($0)”" } ?? "") + ": \(reason)"
  }
}
