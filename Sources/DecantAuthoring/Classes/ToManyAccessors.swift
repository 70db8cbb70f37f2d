internal import DecantModel

/// The methods that Xcode writes for a to-many relationship.
struct ToManyAccessors {
  private let relationship: Relationship
  private let target: String
  private let key: String
  private let name: String

  /// - Parameter target: The class of the members, as Swift code.
  init(_ relationship: Relationship, target: String) {
    self.relationship = relationship
    self.target = target
    key = SwiftName.literal(relationship.name)
    name = SwiftName.capitalised(relationship.name)
  }

  var lines: [String] {
    let members =
      relationship.isOrdered ? "mutableOrderedSetValue(forKey: \(key))" : "mutableSetValue(forKey: \(key))"
    let set = relationship.isOrdered ? "NSOrderedSet" : "NSSet"
    let union =
      relationship.isOrdered ? "addObjects(from: values.array)" : "addObjects(from: values.allObjects)"
    let all = relationship.isOrdered ? "values.array" : "values.allObjects"
    var methods: [(String, String)] = [
      ("addTo\(name)(_ value: \(target))", "\(members).add(value)"),
      ("removeFrom\(name)(_ value: \(target))", "\(members).remove(value)"),
      ("addTo\(name)(_ values: \(set))", "\(members).\(union)"),
      ("removeFrom\(name)(_ values: \(set))", "for value in \(all) { \(members).remove(value) }"),
    ]
    if relationship.isOrdered { methods += ordered(members) }
    return methods.flatMap { ["", "  func \($0) {", "    \($1)", "  }"] }
  }

  private func ordered(_ members: String) -> [(String, String)] {
    [
      ("insertInto\(name)(_ value: \(target), at index: Int)", "\(members).insert(value, at: index)"),
      ("removeFrom\(name)(at index: Int)", "\(members).removeObject(at: index)"),
      (
        "insertInto\(name)(_ values: [\(target)], at indexes: NSIndexSet)",
        "for (index, value) in zip(indexes, values) { \(members).insert(value, at: index) }"
      ),
      (
        "removeFrom\(name)(at indexes: NSIndexSet)",
        "for index in indexes.reversed() { \(members).removeObject(at: index) }"
      ),
      (
        "replace\(name)(at index: Int, with value: \(target))",
        "\(members).replaceObject(at: index, with: value)"
      ),
      (
        "replace\(name)(at indexes: NSIndexSet, with values: [\(target)])",
        "for (index, value) in zip(indexes, values) { \(members).replaceObject(at: index, with: value) }"
      ),
    ]
  }
}
