import DecantModel
import Foundation

/// A small model with parts of every kind.
enum SampleModel {
  static func make() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [
        item, note,
        Entity(
          name: "Tag", attributes: [Attribute(name: "name", type: .string)],
          relationships: [
            Relationship(
              name: "notes", destinationEntityName: "Note", inverseName: "tags", isOptional: true,
              maximumCount: 0)
          ]),
      ],
      configurations: [ModelConfiguration(name: "Local", entityNames: ["Note", "Tag"])],
      versionIdentifiers: ["1", "2"])
  }

  private static let item = Entity(
    name: "Item", managedObjectClassName: ".Item", isAbstract: true,
    attributes: [
      Attribute(name: "created", type: .date, isOptional: true, defaultValue: .date(12.5)),
      Attribute(name: "identifier", type: .uuid, isIndexed: true),
    ],
    uniquenessConstraints: [["identifier"], ["created", "identifier"]])

  private static let note = Entity(
    name: "Note", superentityName: "Item", renamingIdentifier: "Memo", versionHashModifier: "2",
    attributes: [
      Attribute(
        name: "body", type: .string, renamingIdentifier: "text", versionHashModifier: "x",
        defaultValue: .string("")),
      Attribute(name: "count", type: .integer32, defaultValue: .integer(-7)),
      Attribute(name: "done", type: .boolean, defaultValue: .boolean(true)),
      Attribute(name: "weight", type: .double, defaultValue: .double(0.25)),
      Attribute(name: "price", type: .decimal, defaultValue: .decimal(1)),
      Attribute(name: "link", type: .uri, isOptional: true, defaultValue: .uri("https://a.example")),
      Attribute(name: "token", type: .binary, defaultValue: .binary(Data([1, 2, 3]))),
      Attribute(
        name: "picture", type: .binary, isOptional: true, allowsExternalBinaryDataStorage: true,
        preservesValueAfterDeletion: true, userInfo: ["key": "value"]),
      Attribute(name: "scratch", type: .undefined, isOptional: true, isTransient: true),
      Attribute(name: "colour", type: .transformable, isOptional: true, valueTransformerName: "Colours"),
      Attribute(
        name: "place", type: .composite, isOptional: true,
        elements: [
          Attribute(name: "latitude", type: .double), Attribute(name: "longitude", type: .double),
          Attribute(name: "label", type: .composite, elements: [Attribute(name: "text", type: .string)]),
        ]),
    ],
    relationships: [
      Relationship(
        name: "tags", destinationEntityName: "Tag", inverseName: "notes", isOptional: true, isOrdered: true,
        minimumCount: 1, maximumCount: -1, deleteRule: .deny),
      Relationship(name: "next", destinationEntityName: "Note", deleteRule: .cascade),
    ],
    userInfo: ["a": "b"])
}
