/// An expression that can't run over a whole set of rows as SQL, and why.
struct NotSet: Error, CustomStringConvertible {
  let entityMapping: String
  let property: String?
  let reason: String

  var description: String {
    "“\(entityMapping)”" + (property.map { ", “\($0)”" } ?? "") + ": \(reason)"
  }
}
