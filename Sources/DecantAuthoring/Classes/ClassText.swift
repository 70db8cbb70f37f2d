internal import DecantModel

/// The Swift code of a managed object class, with computed properties in place of Xcode's `@NSManaged` ones.
package struct ClassText {
  /// Whether properties with numbers and Booleans are of type `NSNumber?`, and not of types such as `Int64` and `Bool`.
  let hasNumberObjects: Bool

  package init(hasNumberObjects: Bool) {
    self.hasNumberObjects = hasNumberObjects
  }

  package func file(_ plan: ClassPlan.Class) -> String {
    let name = SwiftName.escaped(plan.name)
    var lines = [
      "// Written by “decant classes”; compile it into a worker and register \(plan.name).self there.", "",
      "import CoreData", "", "class \(name): \(SwiftName.escaped(plan.above ?? ClassPlan.base)) {",
    ]
    lines += plan.entities.first.map { request(name, entity: $0) } ?? []
    for property in plan.properties { lines += [""] + text(of: property, in: plan) }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  private func request(_ name: String, entity: String) -> [String] {
    [
      "  class func fetchRequest() -> NSFetchRequest<\(name)> {",
      "    NSFetchRequest<\(name)>(entityName: \(SwiftName.literal(entity)))", "  }",
    ]
  }

  private func text(of property: ClassPlan.Property, in plan: ClassPlan.Class) -> [String] {
    switch property {
    case .attribute(let attribute):
      return lines(of: attribute)
    case .relationship(let relationship, let target):
      let type =
        relationship.isToMany ? relationship.isOrdered ? "NSOrderedSet" : "NSSet" : SwiftName.escaped(target)
      return object(relationship.name, type: type)
        + (relationship.isToMany
          ? ToManyAccessors(relationship, target: SwiftName.escaped(target)).lines : [])
    }
  }

  private func lines(of attribute: Attribute) -> [String] {
    let type = attribute.type.traits.swiftType
    return switch attribute.type.content {
    case .integer, .real: number(attribute, type, "0")
    case .boolean: number(attribute, type, "false")
    case .data(isTransformed: true):
      object(attribute.name, type: TransformableType.name(of: attribute), attribute.isDerived)
    case .decimal, .string, .url, .date, .uuid, .data, nil:
      object(attribute.name, type: type, attribute.isDerived)
    }
  }

  private func number(_ attribute: Attribute, _ type: String, _ fallback: String) -> [String] {
    guard !hasNumberObjects else { return object(attribute.name, type: "NSNumber", attribute.isDerived) }
    let key = SwiftName.literal(attribute.name)
    return accessors(
      attribute.name, type: type,
      getter: "(value(forKey: \(key)) as? NSNumber)?.\(type.lowercased())Value ?? \(fallback)",
      setter: attribute.isDerived ? nil : "setValue(NSNumber(value: newValue), forKey: \(key))")
  }

  private func object(_ name: String, type: String, _ isReadOnly: Bool = false) -> [String] {
    let key = SwiftName.literal(name)
    let cast = type == "Any" ? "" : " as? \(type)"
    return accessors(
      name, type: type + "?", getter: "value(forKey: \(key))\(cast)",
      setter: isReadOnly ? nil : "setValue(newValue, forKey: \(key))")
  }

  private func accessors(_ name: String, type: String, getter: String, setter: String?) -> [String] {
    let head = "  var \(SwiftName.escaped(name)): \(type) {"
    guard let setter else { return [head, "    \(getter)", "  }"] }
    return [head, "    get { \(getter) }", "    set { \(setter) }", "  }"]
  }
}
