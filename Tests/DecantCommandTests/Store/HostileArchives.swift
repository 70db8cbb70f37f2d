import DecantTestSupport
import Foundation
import KeyedArchive

/// Keyed archives in place of a compiled model.
enum HostileArchives {
  /// A composite attribute that contains itself.
  static func cycle() -> Data {
    var writer = ArchiveWriter()
    let composite = writer.reserve()
    let elements = writer.array([composite])
    writer.set(
      composite, "NSCompositeAttributeDescription",
      ["NSPropertyName": .string("c"), "NSAttributeType": .integer(2100), "NSCompositeElements": elements])
    return model(&writer, property: composite, named: "c")
  }

  /// A dictionary of a million references to one entity.
  static func million() -> Data {
    var writer = ArchiveWriter()
    let entity = writer.add("NSEntityDescription", ["NSEntityName": .string("E")])
    let names = PropertyList.array(Array(repeating: writer.text("E"), count: 1_000_000))
    let entities = writer.add(
      "NSDictionary", ["NS.keys": names, "NS.objects": .array(Array(repeating: entity, count: 1_000_000))])
    let root = writer.add("NSManagedObjectModel", ["NSEntities": entities])
    return writer.data(root: root)
  }

  /// A number in place of the entities.
  static func wrongTypes() -> Data {
    var writer = ArchiveWriter()
    let root = writer.add("NSManagedObjectModel", ["NSEntities": .integer(7)])
    return writer.data(root: root)
  }

  /// An attribute type with a number beyond all known numbers.
  static func hugeIntegers() -> Data {
    var writer = ArchiveWriter()
    let attribute = writer.add(
      "NSAttributeDescription", ["NSPropertyName": .string("a"), "NSAttributeType": .unsigned(.max)])
    return model(&writer, property: attribute, named: "a")
  }

  static func foreignClass() -> Data {
    var writer = ArchiveWriter()
    let root = writer.add("NSTask", ["launchPath": .string("/bin/sh")])
    return writer.data(root: root)
  }

  /// Two entities, each of which is the ancestor of the other.
  static func circle() -> Data {
    var writer = ArchiveWriter()
    let (one, two) = (writer.reserve(), writer.reserve())
    writer.set(one, "NSEntityDescription", ["NSEntityName": .string("A"), "NSSuperentity": two])
    writer.set(two, "NSEntityDescription", ["NSEntityName": .string("B"), "NSSuperentity": one])
    let entities = writer.dictionary([("A", one), ("B", two)])
    let root = writer.add("NSManagedObjectModel", ["NSEntities": entities])
    return writer.data(root: root)
  }

  private static func model(_ writer: inout ArchiveWriter, property: PropertyList, named name: String) -> Data {
    let properties = writer.dictionary([(name, property)])
    let entity = writer.add("NSEntityDescription", ["NSEntityName": .string("E"), "NSProperties": properties])
    let entities = writer.dictionary([("E", entity)])
    let root = writer.add("NSManagedObjectModel", ["NSEntities": entities])
    return writer.data(root: root)
  }
}
