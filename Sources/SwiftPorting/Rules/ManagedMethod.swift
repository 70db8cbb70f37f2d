/// The body of a method that Xcode writes for a to-many relationship, such as `addToNotas(_:)`.
struct ManagedMethod {
  let body: MemberBody

  /// Nil for a method that Xcode doesn't write.
  ///
  /// - Parameter properties: The types of the class's managed properties, by name.
  init?(name: String, parameters: [ManagedDeclaration.Parameter], properties: [String: String]) {
    guard let prefix = ["addTo", "removeFrom", "insertInto", "replace"].first(where: { name.hasPrefix($0) })
    else {
      return nil
    }
    let ending = String(name.dropFirst(prefix.count))
    guard !ending.isEmpty else { return nil }
    let same = properties.keys.filter { $0.prefix(1).uppercased() + $0.dropFirst() == ending }.sorted()
    let key = same.first ?? ending.prefix(1).lowercased() + ending.dropFirst()
    let labels = parameters.map(\.label)
    let isOrdered =
      labels.contains("at") || properties[key]?.contains("NSOrderedSet") == true
      || parameters.first?.type == "NSOrderedSet"
    let members = "\(isOrdered ? "mutableOrderedSetValue" : "mutableSetValue")(forKey: \"\(key)\")"
    guard let line = Self.line(prefix, labels, parameters, members) else { return nil }
    body = MemberBody(lines: [line], change: "writes the body of \(name)")
  }

  private static func line(
    _ prefix: String, _ labels: [String], _ parameters: [ManagedDeclaration.Parameter], _ members: String
  ) -> String? {
    guard let first = parameters.first else { return nil }
    let all = Self.elements(of: first)
    switch (prefix, labels) {
    case ("addTo", ["_"]):
      return all.map { "for member in \($0) { \(members).add(member) }" } ?? "\(members).add(\(first.name))"
    case ("removeFrom", ["_"]):
      return all.map { "for member in \($0) { \(members).remove(member) }" }
        ?? "\(members).remove(\(first.name))"
    case ("removeFrom", ["at"]):
      return isIndexes(first)
        ? "for index in \(first.name).reversed() { \(members).removeObject(at: index) }"
        : "\(members).removeObject(at: \(first.name))"
    case ("insertInto", ["_", "at"]):
      return isIndexes(parameters[1])
        ? "for (index, member) in zip(\(parameters[1].name), \(first.name)) { \(members).insert(member, at: index) }"
        : "\(members).insert(\(first.name), at: \(parameters[1].name))"
    case ("replace", ["at", "with"]):
      return isIndexes(first)
        ? "for (index, member) in zip(\(first.name), \(parameters[1].name)) { "
          + "\(members).replaceObject(at: index, with: member) }"
        : "\(members).replaceObject(at: \(first.name), with: \(parameters[1].name))"
    default: return nil
    }
  }

  /// The code of the collection to loop over, for a parameter with several members; nil for a single member.
  private static func elements(of parameter: ManagedDeclaration.Parameter) -> String? {
    switch parameter.type {
    case "NSSet": "\(parameter.name).allObjects"
    case "NSOrderedSet": "\(parameter.name).array"
    case let type where type.hasPrefix("Set<") || type.hasPrefix("["): parameter.name
    default: nil
    }
  }

  private static func isIndexes(_ parameter: ManagedDeclaration.Parameter) -> Bool {
    parameter.type == "NSIndexSet" || parameter.type == "IndexSet"
  }
}
