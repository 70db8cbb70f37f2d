import CommandSupport
import DecantSQLite
import Foundation
import Testing

@testable import DecantCommand

extension NewMappingTests {
  @Test("values without a place can become objects of a new entity, whose constraint isn't an open change")
  func moved() throws {
    let unique =
      "<uniquenessConstraints><uniquenessConstraint><constraint value=\"name\"/></uniquenessConstraint></uniquenessConstraints>"
    try write(
      "One",
      "<entity name=\"Note\"><attribute name=\"topic\" optional=\"YES\" attributeType=\"String\"/></entity>")
    try write("Two", note("") + tags(Self.name + unique))
    let run = new("--output", text)
    #expect(run.code == 0 && run.output.contains("2 changes to decide"), "\(run.output)")
    #expect(
      run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("a policy can make"))
    let written = try String(contentsOfFile: text, encoding: .utf8)
    #expect(written.contains("policy: \"CLASS\"") && !written.contains("must be unique"), "\(written)")
    let store = folder.path("Store.sqlite")
    try #require(Captured(["generate", bundle + "#One", "--rows", "3", "--output", store]).code == 0)
    try SQLiteDatabase(store, mode: .readWrite).execute(
      "UPDATE ZNOTE SET ZTOPIC = CASE Z_PK WHEN 1 THEN 'sea' WHEN 2 THEN 'sun' ELSE 'sea' END")
    // Removing the “//” of a line chooses it.
    let chosen = written.replacing("// { name: \"NoteToTag\"", with: "{ name: \"NoteToTag\"")
      .replacing("//   uniqueBy:", with: "  uniqueBy:").replacing("// tags: {", with: "tags: {")
    try Data(chosen.utf8).write(to: URL(fileURLWithPath: text))
    let check = Captured(["check", folder.path("Models")])
    #expect(check.code == 0 && !check.output.contains("error"), "\(check.output)\n\(chosen)")
    let output = folder.path("New.sqlite")
    let migration = Captured([
      "migrate", store, "--models", folder.path("Models"), "--output", output, "--quiet", "--strict",
    ])
    #expect(migration.code == 0, "\(migration.messages)\n\(chosen)")
    let database = try SQLiteDatabase(output, mode: .immutable)
    #expect(try database.rows("SELECT ZNAME FROM ZTAG ORDER BY 1") == [[.text("sea")], [.text("sun")]])
    let join = try #require(
      try database.rows("SELECT name FROM sqlite_master WHERE name LIKE 'Z\\_%S' ESCAPE '\\'").first?.first)
    guard case .text(let table) = join else {
      Issue.record("\(join)")
      return
    }
    #expect(try database.integer("SELECT count(*) FROM \(table)") == 3)
  }

  @Test("of two dropped texts, the one that is named like the new entity can become its objects")
  func named() throws {
    try write(
      "One",
      "<entity name=\"Note\"><attribute name=\"author\" optional=\"YES\" attributeType=\"String\"/>"
        + "<attribute name=\"tag\" optional=\"YES\" attributeType=\"String\"/></entity>")
    try write("Two", note("") + tags(Self.name))
    let run = new("--output", text)
    #expect(run.code == 0, "\(run.output)\(run.messages)")
    let written = try String(contentsOfFile: text, encoding: .utf8)
    #expect(
      written.contains("uniqueBy: \"$source.tag\"") && !written.contains("uniqueBy: \"$source.author\""),
      "\(written)")
  }
}
