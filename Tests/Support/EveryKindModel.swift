package import DecantModel
internal import Foundation

/// A model with every attribute type, and with every kind of relationship whose layout is known.
package enum EveryKindModel {
  package static func make() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [values, limited, folder, note, task, meeting, tag, account, settings])
  }

  private static let values = Entity(
    name: "Values",
    attributes: [
      Attribute(name: "flag", type: .boolean), Attribute(name: "maybe", type: .boolean, isOptional: true),
      Attribute(name: "small", type: .integer16), Attribute(name: "middle", type: .integer32),
      Attribute(name: "large", type: .integer64), Attribute(name: "real", type: .double),
      Attribute(name: "single", type: .float), Attribute(name: "price", type: .decimal),
      Attribute(name: "text", type: .string, defaultValue: .string("por defecto")),
      Attribute(name: "moment", type: .date), Attribute(name: "bytes", type: .binary, isOptional: true),
      Attribute(name: "outside", type: .binary, allowsExternalBinaryDataStorage: true),
      Attribute(name: "identifier", type: .uuid), Attribute(name: "link", type: .uri),
      Attribute(name: "thing", type: .transformable),
      Attribute(name: "passing", type: .string, isTransient: true),
      Attribute(name: "saved", type: .date, isOptional: true, derivationExpression: "now()"),
    ])

  private static let limited = Entity(
    name: "Limited",
    attributes: [
      Attribute(
        name: "percent", type: .integer16, limits: .init(minimum: .integer(0), maximum: .integer(100))),
      Attribute(
        name: "ratio", type: .double, limits: .init(minimum: .double(-2.5), maximum: .double(2.5))),
      Attribute(
        name: "since", type: .date, limits: .init(minimum: .date(284_000_400), maximum: .date(602_395_200))),
      Attribute(name: "short", type: .string, limits: .init(minimum: .integer(3), maximum: .integer(11))),
      Attribute(
        name: "plate", type: .string, limits: .init(regularExpression: "^[A-Z]{2,3}-\\d{1,4}(H|E)?$")),
      Attribute(
        name: "code", type: .string, limits: .init(minimum: .integer(4), maximum: .integer(4))),
      Attribute(name: "half", type: .integer16), Attribute(name: "bit", type: .boolean),
      Attribute(name: "uuid", type: .uuid),
    ],
    uniquenessConstraints: [["code"], ["half", "bit"], ["uuid"], ["uuid", "short"]])

  /// Folders are nested and ordered.
  ///
  /// `favourites` has no inverse.
  private static let folder = Entity(
    name: "Folder",
    attributes: [
      Attribute(name: "title", type: .string),
      Attribute(name: "count", type: .integer64, isOptional: true, derivationExpression: "notes.@count"),
    ],
    relationships: [
      Relationship(name: "parent", destinationEntityName: "Folder", inverseName: "folders", isOptional: true),
      Relationship(
        name: "folders", destinationEntityName: "Folder", inverseName: "parent", isOptional: true,
        isOrdered: true,
        maximumCount: 0),
      Relationship(
        name: "notes", destinationEntityName: "Note", inverseName: "folder", isOptional: true, isOrdered: true,
        maximumCount: 0),
      Relationship(
        name: "favourites", destinationEntityName: "Tag", isOptional: true, maximumCount: 0),
    ])

  private static let note = Entity(
    name: "Note", isAbstract: false,
    attributes: [Attribute(name: "text", type: .string, isOptional: true)],
    relationships: [
      Relationship(name: "folder", destinationEntityName: "Folder", inverseName: "notes", isOptional: true),
      Relationship(name: "next", destinationEntityName: "Note", inverseName: "previous", isOptional: true),
      Relationship(name: "previous", destinationEntityName: "Note", inverseName: "next", isOptional: true),
      Relationship(name: "twin", destinationEntityName: "Note", inverseName: "twin", isOptional: true),
    ])

  private static let task = Entity(
    name: "Task", superentityName: "Note",
    attributes: [Attribute(name: "done", type: .boolean)],
    relationships: [
      Relationship(
        name: "tags", destinationEntityName: "Tag", inverseName: "tasks", isOrdered: true, minimumCount: 1,
        maximumCount: 9),
      Relationship(name: "anyNote", destinationEntityName: "Note"),
    ])

  private static let meeting = Entity(
    name: "Meeting", superentityName: "Note", attributes: [Attribute(name: "text2", type: .string)])

  private static let tag = Entity(
    name: "Tag", attributes: [Attribute(name: "name", type: .string)],
    relationships: [
      Relationship(
        name: "tasks", destinationEntityName: "Task", inverseName: "tags", isOptional: true, isOrdered: true,
        maximumCount: 0),
      Relationship(
        name: "likes", destinationEntityName: "Tag", inverseName: "likedBy", isOptional: true, maximumCount: 0),
      Relationship(
        name: "likedBy", destinationEntityName: "Tag", inverseName: "likes", isOptional: true, maximumCount: 3),
    ])

  /// Both ends are required, so there are as many accounts as settings.
  private static let account = Entity(
    name: "Account", attributes: [Attribute(name: "name", type: .string)],
    relationships: [
      Relationship(
        name: "settings", destinationEntityName: "Settings", inverseName: "account", minimumCount: 1),
      Relationship(
        name: "parts", destinationEntityName: "Limited", isOptional: true, maximumCount: 0),
    ])

  private static let settings = Entity(
    name: "Settings",
    relationships: [
      Relationship(name: "account", destinationEntityName: "Account", inverseName: "settings", minimumCount: 1)
    ])
}
