import CommandSupport
import DecantSQLite
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

/// Each element of a composite attribute has its own column (docs/formats/core-data-sqlite.md 2.4).
@Suite("Composite attributes on the command line")
struct CompositeCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("decant-composite") }

  /// A model with one composite attribute, and a plain attribute whose column has the name of an element's column.
  private func model(_ name: String, _ elements: [(name: String, type: String)]) throws -> String {
    let list = elements.map { "<attribute name=\"\($0.name)\" optional=\"YES\" attributeType=\"\($0.type)\"/>" }
    return try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Note">
          <attribute name="author" optional="YES" attributeType="Composite" composite="Author"/>
          <attribute name="id" optional="YES" attributeType="String"/>
        </entity>
        <composite name="Author">\(list.joined())</composite>
      </model>
      """, to: "Models/Notes/\(name).xcdatamodel/contents"
    ).deletingLastPathComponent().path
  }

  private func old() throws -> String {
    try model("Old", [("at", "Date"), ("id", "Integer 32"), ("name", "String")])
  }

  @Test(
    "inspect accepts the columns of elements, and reports missing and surplus columns")
  func inspect() throws {
    let store = folder.path("Store.sqlite")
    try #require(Captured(["generate", old(), "--rows", "20", "--output", store]).code == 0)
    func inspected() -> String {
      Captured(["inspect", store, "--models", folder.path("Models")], width: 10_000).output
    }
    #expect(inspected().contains("“Old” of family “Notes”"))
    #expect(!inspected().contains("column"), "\(inspected())")
    try SQLiteDatabase(store, mode: .readWrite).execute("ALTER TABLE ZNOTE ADD COLUMN ZODD INTEGER")
    #expect(
      inspected().contains("1 column belongs to no property of the model and is not migrated: ZNOTE.ZODD."))
    try SQLiteDatabase(store, mode: .readWrite).execute("ALTER TABLE ZNOTE RENAME COLUMN ZAT TO ZWHEN")
    #expect(inspected().contains("column ZNOTE.ZAT is missing"), "\(inspected())")
  }

  @Test("diff judges each element by its name")
  func diff() throws {
    let new = try model("New", [("id", "Integer 64"), ("name", "Date"), ("more", "String")])
    let run = Captured(["diff", try old(), new])
    for line in [
      "- light  attribute author.at (values are lost)",
      "~ light  attribute author.id: type Integer 32 → Integer 64",
      "~ heavy  attribute author.name: type String → Date", "+ light  attribute author.more: String, optional",
      "Needs a mapping model: 1 change can't be inferred.",
    ] { #expect(run.output.contains(line), "\(run.output)") }
    #expect(!run.output.contains("attribute id"))
  }
}
