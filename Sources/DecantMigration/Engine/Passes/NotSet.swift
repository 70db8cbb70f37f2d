/// An expression that can't run as SQL over a whole set of rows, with the reason.
struct NotSet: Error, CustomStringConvertible {
  let entityMapping: String
  let property: String?
  let reason: String

  var description: String {
    "“\(entityMapping)”" + (property.map { ", “\($0)”" } ?? "") + ": \(reason)"
  }
}
