import CommandSupport
import DecantMapping
import DecantSQLite
import DecantTestSupport
import FileNames
import Foundation
import Testing

@testable import DecantCommand

@Suite("mapping --new")
struct NewMappingTests {
  let folder: TemporaryFolder
  var bundle: String { folder.path("Models/Notes/Notes.xcdatamodeld") }
  var text: String { folder.path("Models/Notes/Two.mapping.json5") }

  init() throws { folder = try TemporaryFolder("decant-new-mapping") }

  func write(_ version: String, _ entities: String) throws {
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\(entities)</model>
      """, to: "Models/Notes/Notes.xcdatamodeld/\(version).xcdatamodel/contents")
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(version).xcdatamodel</string></dict></plist>
      """, to: "Models/Notes/Notes.xcdatamodeld/.xccurrentversion")
  }

  func tags(_ attributes: String) -> String {
    """
    <entity name="Tag">\(attributes)
      <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify"
        destinationEntity="Note" inverseName="tags" inverseEntity="Note"/>
    </entity>
    """
  }

  func note(_ attributes: String, tags: String = #"toMany="YES""#) -> String {
    """
    <entity name="Note">\(attributes)
      <relationship name="tags" optional="YES" \(tags) deletionRule="Nullify"
        destinationEntity="Tag" inverseName="notes" inverseEntity="Tag"/>
    </entity>
    """
  }

  static let name = #"<attribute name="name" optional="YES" attributeType="String"/>"#

  /// Writes two versions with renames, light changes of types and defaults for nil: all can be inferred.
  private func writeLight() throws {
    try write(
      "One",
      note(
        #"<attribute name="text" optional="YES" attributeType="String"/>"#
          + #"<attribute name="rank" optional="YES" attributeType="Integer 32"/>"#
          + #"<attribute name="when" optional="YES" attributeType="Date"/>"#
          + #"<attribute name="flag" optional="YES" attributeType="Boolean"/>"#
          + #"<attribute name="sort" optional="YES" attributeType="String"/>"#) + tags(Self.name))
    try write(
      "Two",
      note(
        #"<attribute name="body" optional="YES" attributeType="String" elementID="text"/>"#
          + #"<attribute name="rank" attributeType="Integer 64" defaultValueString="7"/>"#
          + #"<attribute name="when" attributeType="Date" defaultDateTimeInterval="100"/>"#
          + #"<attribute name="flag" attributeType="Boolean" defaultValueString="YES"/>"#
          + #"<attribute name="sort" attributeType="String" defaultValueString="it's &quot;new&quot;"/>"#
          + #"<attribute name="stars" attributeType="Integer 16" defaultValueString="3"/>"#)
        + tags(#"<attribute name="label" optional="YES" attributeType="String" elementID="name"/>"#)
        + #"<entity name="Fresh"><attribute name="a" optional="YES" attributeType="String"/></entity>"#)
  }

  /// Writes two versions with each kind of change that can't be inferred, and with losses.
  func writeHeavy() throws {
    try write(
      "One",
      note(
        ["text", "stars", "mood"].map { #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"# }
          .joined() + #"<attribute name="due" optional="YES" attributeType="Date"/>"#) + tags(Self.name)
        + #"<entity name="Old">\#(Self.name)</entity><entity name="Person">\#(Self.name)</entity>"#)
    try write(
      "Two",
      note(
        #"<attribute name="text" attributeType="String"/><attribute name="stars" attributeType="Integer 16"/>"#
          + #"<attribute name="feeling" optional="YES" attributeType="String"/>"#
          + #"<attribute name="due" optional="YES" attributeType="String"/>"#
          + #"<attribute name="key" attributeType="UUID"/>"#, tags: #"maxCount="1""#) + tags(Self.name)
        + #"<entity name="Elder">\#(Self.name)</entity>"#
        + #"<entity name="Man" elementID="Person">\#(Self.name)</entity>"#
        + #"<entity name="Woman" elementID="Person">\#(Self.name)</entity>"#)
  }

  func new(_ more: String...) -> Captured {
    Captured(["mapping", "--new", bundle + "#One", bundle + "#Two"] + more)
  }

  private func content(_ store: String) throws -> [String] {
    let database = try SQLiteDatabase(store, mode: .immutable)
    let tables = try database.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND (name LIKE 'ZNOTE' OR name LIKE 'ZTAG' OR name LIKE "
        + "'Z\\_%NOTES' ESCAPE '\\' OR name LIKE 'Z\\_%TAGS' ESCAPE '\\' OR name LIKE 'ZFRESH') ORDER BY 1")
    return try tables.flatMap { row -> [String] in
      guard case .text(let name)? = row.first else { return [] }
      let columns = try database.rows(
        "SELECT name FROM pragma_table_info('\(name)') WHERE name <> 'Z_OPT' ORDER BY 1"
      )
      .compactMap { if case .text(let column)? = $0.first { column } else { nil } }
      return try database.rows("SELECT \(columns.joined(separator: ", ")) FROM \(name) ORDER BY 1, 2").map {
        "\(name) \($0)"
      }
    }
  }

  @Test(
    "without heavy changes the text has no open change and no finding, and makes the inferred step's store"
  )
  func light() throws {
    try writeLight()
    let store = folder.path("Store.sqlite")
    try #require(Captured(["generate", bundle + "#One", "--rows", "60", "--output", store]).code == 0)
    let database = try SQLiteDatabase(store, mode: .readWrite)
    try database.execute(
      "UPDATE ZNOTE SET ZRANK = NULL, ZWHEN = NULL, ZFLAG = NULL, ZSORT = NULL WHERE Z_PK % 3 = 0")
    func migrated(_ name: String) throws -> [String] {
      let output = folder.path(name)
      let run = Captured([
        "migrate", store, "--models", folder.path("Models"), "--output", output, "--quiet", "--strict",
      ])
      try #require(run.code == 0, "\(run.messages)")
      #expect(!run.output.contains("Lost"), "\(run.output)")
      return try content(output)
    }
    let inferred = try migrated("Inferred.sqlite")
    let run = new("--output", text)
    #expect(run.code == 0, "\(run.messages)")
    #expect(
      run.lines.prefix(2) == [
        "Written: \(text)", "Nothing to decide: the step is inferred without this text, too.",
      ])
    let written = try String(contentsOfFile: text, encoding: .utf8)
    #expect(!written.contains(OpenChange.mark) && written.contains("name: \"Two\""), "\(written)")
    let read = Captured(["mapping", text])
    #expect(read.code == 0 && read.output == written && read.messages == "", "\(read.messages)")
    let plan = Captured(["plan", store, "--models", folder.path("Models")])
    #expect(plan.output.contains("“One” to “Two”, Two"), "\(plan.output)")
    let mapped = try migrated("Mapped.sqlite")
    #expect(inferred.count > 20 && mapped == inferred)
  }

  @Test("each heavy change is an open change, and the check accepts the text with any choice of each")
  func heavy() throws {
    try writeHeavy()
    let run = new("--output", text)
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.lines[1].hasPrefix("9 changes to decide: search for \(OpenChange.mark)."), "\(run.output)")
    #expect(
      run.lines.suffix(4) == ["", "Next:", "  decant check \(folder.path("Models/Notes"))", ""], "\(run.output)"
    )
    let elsewhere = new("--output", folder.path("Three.mapping.json5"))
    #expect(elsewhere.output.contains("Put the file into the family's folder"), "\(elsewhere.output)")
    let written = try String(contentsOfFile: text, encoding: .utf8)
    let parts = [
      "entity “Person” is continued by several entities: “Man”, “Woman”", "entity “Old” isn't continued",
      "attribute “key” is new and required", "attribute “stars” changes its type",
      "attribute “due” changes its type",
      "attribute “text” becomes required", "attribute “mood” of “Note” has no place",
      "relationship “tags” changes from to-many",
    ]
    let words = written.split { $0.isWhitespace || $0 == "/" }.joined(separator: " ")
    for part in parts { #expect(words.contains(part), "\(part)\n\(written)") }
    // While changes are undecided, the text can be read, but the check fails.
    let read = Captured(["mapping", text])
    #expect(read.output.contains("NoteToNote") && !read.messages.contains("not a readable"), "\(read.messages)")
    #expect(Captured(["check", folder.path("Models")]).code == 78)
    let json = try JSONSerialization.jsonObject(with: Data(new("--json").output.utf8)) as? [String: Any]
    let open = try #require(json?["open"] as? [[String: Any]])
    #expect(
      open.count == 9
        && json?["text"] as? String == written.replacing("name: \"Two\"", with: "name: \"One to Two\""))
    let choices = open.compactMap { $0["choices"] as? [[String: Any]] }
    let most = choices.map(\.count).max() ?? 0
    #expect(choices.allSatisfy { !$0.isEmpty } && most > 1)
    for choice in 0..<most {
      var chosen = written
      for change in choices {
        for line in change[min(choice, change.count - 1)]["lines"] as? [String] ?? [] {
          #expect(chosen.contains("// \(line)"), "\(line)")
          chosen = chosen.replacing("// \(line)", with: line)
        }
      }
      try Data(chosen.utf8).write(to: URL(fileURLWithPath: text))
      let check = Captured(["check", folder.path("Models")])
      #expect(check.code == 0, "\(check.output)\n\(chosen)")
    }
  }

  @Test("a new uniqueness constraint is an open change, but not a constraint whose attribute is renamed")
  func constraints() throws {
    let unique = { (name: String) in
      "<uniquenessConstraints><uniquenessConstraint><constraint value=\"\(name)\"/></uniquenessConstraint></uniquenessConstraints>"
    }
    let label =
      #"<attribute name="label" optional="YES" attributeType="String" elementID="name"/>"# + unique("label")
    try write("One", note("") + tags(Self.name))
    try write("Two", note("") + tags(label))
    let added = new().output
    #expect(added.contains("“label” must be unique in “Tag” from now on"), "\(added)")
    #expect(added.contains(#"// uniqueBy: "$source.name","#), "\(added)")
    try write("One", note("") + tags(Self.name + unique("name")))
    try write("Two", note("") + tags(label))
    #expect(!new().output.contains(OpenChange.mark))
  }

  @Test("for a to-many relationship that can become a to-one the text says what is lost")
  func narrowed() throws {
    try write("One", note("") + tags(Self.name))
    let tag = #"""
      <entity name="Tag">
        <relationship name="note" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Note"
          inverseName="labels" inverseEntity="Note"/>
      </entity>
      """#
    let labels = note("").replacing(#"inverseName="notes""#, with: #"inverseName="note""#)
    try write("Two", labels.replacing(#"name="tags""#, with: #"name="labels""#) + tag)
    let output = new().output.split { $0.isWhitespace || $0 == "/" }.joined(separator: " ")
    #expect(output.contains("one of its objects; the others are losses"), "\(output)")
  }

  @Test(
    "each command's error about an undecided change names the line, the property and the choices",
    arguments: ["\n", "\r\n"])
  func undecided(lineEnd: String) throws {
    try writeHeavy()
    try #require(new("--output", text).code == 0)
    let written = try String(contentsOfFile: text, encoding: .utf8)
    try Data(written.replacing("\n", with: lineEnd).utf8).write(to: URL(fileURLWithPath: text))
    let line =
      try #require(
        written.split(separator: "\n", omittingEmptySubsequences: false)
          .firstIndex { $0.contains("\(OpenChange.mark): entity “Note”: attribute “stars” changes") }) + 1
    let words =
      "the \(OpenChange.mark) in line \(line) isn't decided: entity “Note”: attribute “stars” changes its type from String to Integer 16"
    let choices = #"stars: "coalesce(parseNumber($source.stars), 0)" or stars: "0"."#
    func flat(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    let read = flat(Captured(["mapping", text]).messages)
    #expect(read.contains(words) && read.contains(choices), "\(read)")
    #expect(read.contains("Two.mapping.json5, line \(line): entity mapping “NoteToNote”, “stars”"), "\(read)")
    let check = flat(Captured(["check", folder.path("Models")]).output)
    #expect(check.contains(words) && check.contains("“due” changes its type from Date to String"), "\(check)")
    // If the chosen line is wrong, the message is about that line.
    let wrong = try String(contentsOfFile: text, encoding: .utf8)
      .replacing("// stars: \"0\",", with: "stars: \"'x'\", //")
    try Data(wrong.utf8).write(to: URL(fileURLWithPath: text))
    let other = flat(Captured(["mapping", text]).messages)
    #expect(other.contains("“stars”") && !other.contains("attribute “stars” changes"), "\(other)")
    #expect(other.contains("“due” changes its type"), "\(other)")
  }

  @Test("a rename in family.json5 gives values a place, unless it is for another version")
  func renames() throws {
    try writeHeavy()
    #expect(new("--json").output.contains("attribute “mood” of “Note” has no place"))
    try folder.write(
      "{ target: 'Two', renames: { to: 'Two', entities: { Old: 'Elder' }, properties: { 'Note.mood': 'feeling' } } }",
      to: "Models/Notes/family.json5")
    let run = new()
    #expect(run.code == 0 && run.output.contains(#"feeling: "$source.mood","#), "\(run.output)\(run.messages)")
    #expect(run.output.contains(#"{ source: "Old", destination: "Elder""#) || run.output.contains("OldToElder"))
    #expect(
      !run.output.contains("“mood” of “Note” has no place") && !run.output.contains("“Old” isn't continued"))
    let infer = Captured(["diff", bundle + "#One", bundle + "#Two"])
    #expect(infer.output.contains("feeling") && !infer.output.contains("- attribute mood"), "\(infer.output)")
    try folder.write(
      "{ target: 'Two', renames: { to: 'One', entities: { Old: 'Elder' } } }", to: "Models/Notes/family.json5")
    #expect(new().output.contains("“Old” isn't continued"))
    try folder.write(
      "{ target: 'Three', renames: { to: 'Two', entities: { Old: 'Elder' } } }", to: "Models/Notes/family.json5"
    )
    let other = new()
    #expect(other.code == 0 && !other.output.contains("“Old” isn't continued"), "\(other.output)")
    #expect(
      other.messages.contains("“target” names “Three”") && !other.messages.contains("aren't used"),
      "\(other.messages)")
    try folder.write("{ renames: 7 }", to: "Models/Notes/family.json5")
    let broken = new()
    #expect(broken.code == 0 && broken.messages.contains("family.json5 aren't used"), "\(broken.messages)")
  }

  @Test("nothing is overwritten, and options that don't belong together are refused")
  func refusals() throws {
    try writeHeavy()
    #expect(new("--output", folder.path("Two.json5")).code == 64)
    #expect(new("--output", folder.path("Nowhere/Two.mapping.json5")).code == 73)
    #expect(new("--models", folder.path("Models")).code == 64)
    #expect(new("--json", "--output", text).code == 64)
    try folder.write("{}", to: "Models/Notes/Two.mapping.json5")
    let taken = new("--output", text)
    #expect(taken.code == 73 && taken.messages.contains("exists already"), "\(taken.messages)")
    #expect(try String(contentsOfFile: text, encoding: .utf8) == "{}")
    #expect(Captured(["mapping", text, "--output", folder.path("x.mapping.json5")]).code == 64)
  }

  @Test("diff ends with the command that writes the text, or says that none is needed")
  func diff() throws {
    try writeHeavy()
    let run = Captured(["diff", bundle + "#One", bundle + "#Two"])
    #expect(
      run.lines.dropLast().last
        == "  decant mapping --new '\(bundle)#One' '\(bundle)#Two' --output \(text)", "\(run.output)")
    let json = Captured(["diff", bundle + "#One", bundle + "#Two", "--json"]).output
    #expect(json.contains("\"nextCommand\": \"decant mapping --new"), "\(json)")
    try writeLight()
    #expect(
      Captured(["diff", bundle + "#One", bundle + "#Two"]).output.hasSuffix(
        "No mapping model has to be written.\n"))
  }

  @Test("a store given instead of a model has no version name")
  func store() throws {
    let notes = try NotesFixture()
    let run = Captured(["mapping", "--new", try notes.cachingStore(), notes.bundle + "#Notes 2"])
    #expect(run.code == 0, "\(run.messages)")
    #expect(
      run.output.contains("source: \"SOURCE\"") && run.output.contains("destination: \"Notes 2\""),
      "\(run.output)")
  }

  @Test("words of a command line are quoted for a shell")
  func shell() {
    #expect(
      ShellQuoting.line(["decant", "a b", "it's", "", "x#y", "-o", "é"])
        == "decant 'a b' 'it'\\''s' '' 'x#y' -o 'é'")
  }
}
