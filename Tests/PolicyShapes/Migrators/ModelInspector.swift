import CoreData

/// Lists the differences between two models.
///
/// It stands for: `entitiesByName`, `propertiesByName`, `attributeType`, `isToMany`, `destinationEntity`,
/// `inverseRelationship`, `versionHash` of properties, `managedObjectModel`, and equality of entities of two models.
public struct ModelInspector {
  public let old: NSManagedObjectModel
  public let new: NSManagedObjectModel

  public init(old: NSManagedObjectModel, new: NSManagedObjectModel) {
    self.old = old
    self.new = new
  }

  /// One line for each property that was added, removed or changed.
  public var changes: [String] {
    var lines: [String] = []
    for (name, entity) in new.entitiesByName {
      guard let former = old.entitiesByName[name] else {
        lines.append("+\(name)")
        continue
      }
      if former == entity { continue }
      for (key, property) in entity.propertiesByName {
        guard let before = former.propertiesByName[key] else {
          // On a Mac this property isn't optional.
          let owner = property.entity.name ?? "?"
          guard property.entity.managedObjectModel == new else { continue }
          lines.append("+\(owner).\(key)\(Self.kind(of: property))")
          continue
        }
        if before.versionHash != property.versionHash {
          lines.append("~\(name).\(key)\(Self.kind(of: before))→\(Self.kind(of: property))")
        }
      }
      for key in former.propertiesByName.keys where entity.propertiesByName[key] == nil {
        lines.append("-\(name).\(key)")
      }
    }
    return lines.sorted()
  }

  private static func kind(of property: NSPropertyDescription) -> String {
    switch property {
    case let attribute as NSAttributeDescription:
      switch attribute.attributeType {
      case .stringAttributeType: return ":text"
      case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: return ":number"
      case .booleanAttributeType: return ":flag"
      default: return ":\(attribute.attributeType.rawValue)"
      }
    case let relationship as NSRelationshipDescription:
      let inverse = relationship.inverseRelationship?.name ?? "-"
      return
        ":\(relationship.isToMany ? "many" : "one") \(relationship.destinationEntity?.name ?? "?")/\(inverse)"
    default: return ""
    }
  }
}
