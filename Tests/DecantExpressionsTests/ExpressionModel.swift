import DecantModel
import DecantStore
import DecantTestSupport

/// A model with every attribute type and every way of storing relationships.
enum ExpressionModel {
  static func layout() throws -> StoreLayout {
    try StoreLayout(ManagedObjectModel(entities: entities), framework: FrameworkVersion(1344))
  }

  private static func attribute(_ name: String, _ type: AttributeType) -> Attribute {
    Attribute(name: name, type: type, isOptional: true)
  }

  private static let entities = [
    Entity(
      name: "Note",
      attributes: [
        attribute("flag", .boolean), attribute("small", .integer16), attribute("middle", .integer32),
        attribute("large", .integer64), attribute("real", .double), attribute("single", .float),
        attribute("price", .decimal), attribute("text", .string), attribute("other", .string),
        attribute("moment", .date), attribute("later", .date), attribute("bytes", .binary),
        Attribute(name: "outside", type: .binary, isOptional: true, allowsExternalBinaryDataStorage: true),
        attribute("identifier", .uuid), attribute("link", .uri), attribute("thing", .transformable),
        Attribute(name: "passing", type: .string, isOptional: true, isTransient: true),
      ],
      relationships: [
        Layouts.toOne("author", "Author", "notes"), Layouts.toOne("folder", "Folder", "notes"),
        Layouts.toOne("next", "Note", "previous"), Layouts.toOne("previous", "Note", "next"),
        Layouts.toOne("elsewhere", "Task"), Layouts.toMany("comments", "Comment", "note"),
        Layouts.toMany("lines", "Line", "note", isOrdered: true),
      ]),
    Entity(
      name: "Task", superentityName: "Note",
      attributes: [attribute("done", .boolean), attribute("points", .integer32)],
      relationships: [Layouts.toOne("owner", "Author"), Layouts.toMany("checks", "Comment", "task")]),
    Entity(
      name: "Memo", superentityName: "Note",
      attributes: [attribute("body", .string), attribute("points", .integer64)]),
    Entity(
      name: "Author",
      attributes: [attribute("name", .string), attribute("age", .integer32), attribute("rating", .double)],
      relationships: [
        Layouts.toMany("notes", "Note", "author"), Layouts.toMany("likes", "Tag"),
        Layouts.toMany("tags", "Tag", "authors"),
      ]),
    Entity(
      name: "Folder", attributes: [attribute("title", .string), attribute("worth", .decimal)],
      relationships: [
        Layouts.toMany("notes", "Note", "folder", isOrdered: true),
        Layouts.toOne("parent", "Folder", "folders"),
        Layouts.toMany("folders", "Folder", "parent"),
        Layouts.toMany("tags", "Tag", "folders", isOrdered: true),
      ]),
    Entity(
      name: "Tag", attributes: [attribute("name", .string), attribute("weight", .double)],
      relationships: [
        Layouts.toMany("authors", "Author", "tags"),
        Layouts.toMany("folders", "Folder", "tags", isOrdered: true),
      ]),
    Entity(
      name: "Comment",
      attributes: [attribute("text", .string), attribute("stars", .integer16), attribute("at", .date)],
      relationships: [Layouts.toOne("note", "Note", "comments"), Layouts.toOne("task", "Task", "checks")]),
    Entity(
      name: "Line", attributes: [attribute("text", .string), attribute("length2", .double)],
      relationships: [Layouts.toOne("note", "Note", "lines")]),
  ]
}
