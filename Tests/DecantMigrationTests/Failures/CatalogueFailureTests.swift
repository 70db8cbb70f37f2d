import DecantCatalogue
import DecantModel
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Failures: catalogues and folders")
struct CatalogueFailureTests {
  private static let versions = [
    "Note\n  text String?\nTag\n  name String?", "Note\n  body String?\nTag\n  name String?",
  ]

  private func shop(family: String? = nil) throws -> Workshop {
    let shop = try Workshop(Self.versions, family: family)
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a')")
    return shop
  }

  private func failure(_ job: MigrationJob) throws -> MigrationFailure {
    try #require(#expect(throws: MigrationFailure.self) { try Migration.run(job) })
  }

  /// Replaces the family's versions, so that the store fits none.
  private func replace(_ text: String, in shop: Workshop) throws {
    for version in ["V1", "V2"] {
      try shop.folder.write(
        ModelText(text).contents, to: "models/Notes/Notes.xcdatamodeld/\(version).xcdatamodel/contents")
    }
  }

  @Test(
    "an invalid expression is reported with line and column, and with an excerpt that marks the place"
  )
  func syntax() throws {
    let shop = try shop()
    try shop.map("{ source: \"Note\", destination: \"Note\", attributes: { body: \"$source.text +\" } }")
    let failure = try failure(shop.job())
    #expect(failure.reason == .badMappingModel)
    #expect(
      failure.message.hasPrefix(
        "\(shop.folder.path("models/Notes/Step.mapping.json5")) is not a readable mapping model: line 2, column "
      ),
      "\(failure.message)")
    #expect(failure.message.hasSuffix(".") && !failure.message.contains("\n") && !failure.message.contains("^"))
    #expect(failure.excerpt == ["  $source.text +", "                ^"], "\(failure.excerpt)")
    #expect(failure.lines == failure.excerpt)
    #expect(!failure.description.contains("^") && !failure.description.contains("\n"))
    let copy = try JSONDecoder().decode(MigrationFailure.self, from: try JSONEncoder().encode(failure))
    #expect(copy == failure)
  }

  @Test("an unknown version names the nearest one and the entities that differ")
  func unknownVersion() throws {
    let shop = try shop()
    try replace("Note\n  text String\nFolder\n  name String?", in: shop)
    let failure = try shop.failure()
    #expect(failure.disposition == .refuse)
    #expect(failure.reason == .unknownVersion)
    #expect(failure.coreDataCode == 134_100)
    #expect(failure.family == "Notes")
    #expect(
      failure.message
        == "Store.sqlite is of a model version that the catalogue doesn't have. The nearest is version “V2” of family “Notes” "
        + "(changed: “Note”; missing in the store: “Folder”; only in the store: “Tag”).")
    #expect(failure.advice == "Add that version of the model to the family's folder.")
  }

  @Test("a store that has little in common with every family may be another app's")
  func foreign() throws {
    let shop = try Workshop(
      "Note\n  text String?\nTag\n  name String?\nPlace\n  name String?", Self.versions[1])
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a')")
    try replace("Song\n  name String\nAlbum\n  name String?\nNote\n  text String", in: shop)
    let near = try shop.failure()
    #expect(near.reason == .unknownVersion && near.family == nil)
    #expect(
      near.message
        == "Store.sqlite fits no version of any family. It may be the store of another app. The nearest is version “V2” of "
        + "family “Notes”, which has 1 of the store's 3 entities. Only in the store: “Place”, “Tag”. Missing in the store: "
        + "“Album”, “Song”. Changed: “Note”.", "\(near.message)")
    #expect(
      near.advice
        == "If another app wrote the store, use that app's catalogue; otherwise add the store's version of the model to the "
        + "family's folder.")
    try replace("Song\n  name String", in: shop)
    #expect(
      try shop.failure().message
        == "Store.sqlite fits no version of any family. It may be the store of another app. The only version in the "
        + "catalogue has no entity in common with the store.")
  }

  @Test("while another family is broken, a store of an unknown version waits; others don't")
  func brokenFamilyBeside() throws {
    let shop = try shop()
    try shop.folder.write("x", to: "models/Other/Other.xcdatamodeld/README")
    try shop.migrate()
    try FileManager.default.removeItem(at: shop.output)
    try replace("Thing\n  name String?", in: shop)
    let failure = try shop.failure()
    #expect(failure.disposition == .catalogue)
    #expect(failure.exitCode == 78)
    #expect(failure.reason == .brokenFamily)
    #expect(failure.family == "Other")
    #expect(
      failure.message
        == "The family “Other” can't be used: "
        + "\(shop.catalogue.path)/Other/Other.xcdatamodeld: the folder holds no model version (*.xcdatamodel or "
        + "*.mom); copy the whole .xcdatamodeld or .momd. Store.sqlite may belong to a broken family: no usable "
        + "family has its version.")
    #expect(
      failure.advice
        == "Fix each broken family, or move its folder out of the catalogue. Until then the store can't be migrated."
    )
  }

  static let faults: [(text: String, part: String)] = [
    (
      "<entity name=\"Note\"><relationship name=\"tags\" destinationEntity=\"Tag\"/></entity>",
      "entity “Note”: relationship “tags” leads to entity “Tag”, which the model doesn't have"
    ),
    (
      "<entity name=\"Note\"><relationship name=\"self\" destinationEntity=\"Note\" inverseName=\"no\"/></entity>",
      "entity “Note”: relationship “self” names the inverse “no”, which entity “Note” doesn't have"
    ),
    (
      "<entity name=\"Note\" parentEntity=\"Item\"/>",
      "entity “Note” has the parent “Item”, which the model doesn't have"
    ),
    ("<entity name=\"Note\"", "V1.xcdatamodel: line 1: "),
    ("<entity/>", "line 1: element “entity” lacks its attribute “name”"),
  ]

  @Test("an incomplete model makes its family broken", arguments: faults)
  func brokenModel(fault: (text: String, part: String)) throws {
    let shop = try shop()
    try shop.folder.write(
      "<model type=\"com.apple.IDECoreDataModeler.DataModel\">\(fault.text)</model>",
      to: "models/Notes/Notes.xcdatamodeld/V1.xcdatamodel/contents")
    var job = shop.job()
    job.family = "Notes"
    let failure = try failure(job)
    #expect(failure.disposition == .catalogue)
    #expect(failure.reason == .brokenFamily)
    #expect(failure.message.contains(fault.part), "\(failure.message)")
    #expect(failure.message.contains("V1.xcdatamodel"))
  }

  @Test("a missing catalogue, a file in its place, and an empty catalogue are different failures")
  func noCatalogue() throws {
    let shop = try shop()
    var job = shop.job()
    job.catalogue = shop.folder.url.appendingPathComponent("none")
    var failure = try failure(job)
    #expect(failure.disposition == .catalogue)
    #expect(failure.reason == .noCatalogue)
    job.catalogue = shop.source
    failure = try self.failure(job)
    #expect(failure.disposition == .catalogue)
    #expect(failure.reason == .catalogueUnreadable)
    job.catalogue = shop.folder.url.appendingPathComponent("empty")
    try FileManager.default.createDirectory(at: job.catalogue, withIntermediateDirectories: true)
    failure = try self.failure(job)
    #expect(failure.reason == .unknownVersion)
    #expect(failure.message.hasSuffix("There is no model version in the catalogue."))
  }

  @Test("for an unknown family or target, the advice lists those that exist")
  func unknownNames() throws {
    let shop = try shop()
    var job = shop.job(to: "V9")
    var failure = try failure(job)
    #expect(failure.reason == .unknownTarget)
    #expect(failure.message == "Family “Notes” has no version “V9”.")
    #expect(failure.advice == "It has: “V1”, “V2”.")
    job = shop.job()
    job.family = "Fotos"
    failure = try self.failure(job)
    #expect(failure.reason == .unknownFamily)
    #expect(failure.advice == "It has: “Notes”.")
  }

  @Test("if two families have a store's version, the store is refused, and the advice says how to choose")
  func ambiguous() throws {
    let shop = try shop()
    try shop.folder.write(ModelText(Self.versions[0]).contents, to: "models/Twin/Twin.xcdatamodel/contents")
    let failure = try shop.failure()
    #expect(failure.reason == .ambiguousFamily)
    #expect(failure.coreDataCode == 134_130)
    #expect(failure.message == "Store.sqlite fits a version of several families: “Notes”, “Twin”.")
    #expect(failure.advice == "Name the family with --family.")
    #expect(
      try dropFailure(shop).advice
        == "Drop the store again from “original”, with a file “Store.sqlite.request.json5” beside it that says "
        + "{ family: \"Notes\" } or { family: \"Twin\" }.")
  }

  @Test("of two families with the same version, the advice doesn't propose one whose target can't be reached")
  func ambiguousWithoutAWay() throws {
    let shop = try shop()
    let other = "Note\n  text Int32?\nTag\n  name String?"
    for (name, text) in [("A", Self.versions[0]), ("B", other)] {
      try shop.folder.write(
        ModelText(text).contents, to: "models/Twin/Twin.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try shop.folder.write("{ target: \"B\" }", to: "models/Twin/family.json5")
    let limit = " “Twin” fits as well, but has no path from this version to the target."
    let failure = try shop.failure()
    #expect(failure.reason == .ambiguousFamily && failure.advice == "Name the family with --family." + limit)
    let drop = try dropFailure(shop).advice
    #expect(drop.hasSuffix("that says { family: \"Notes\" }." + limit), "\(drop)")
  }

  private func dropFailure(_ shop: Workshop) throws -> MigrationFailure {
    var job = shop.job()
    job.isOfDrop = true
    return try failure(job)
  }

  @Test("if two families have a store's version, and one of them is broken, the store waits")
  func ambiguousBroken() throws {
    let shop = try shop()
    try shop.folder.write(ModelText(Self.versions[0]).contents, to: "models/Twin/Twin.xcdatamodel/contents")
    try shop.folder.write("{ x: 1 }", to: "models/Twin/family.json5")
    let failure = try shop.failure()
    #expect(failure.reason == .brokenFamily && failure.exitCode == 78)
    #expect(
      failure.advice
        == "Fix that family, or name a usable family (“Notes”) with --family. Until then the store can't be "
        + "migrated.")
    let waiting = try dropFailure(shop).advice
    #expect(
      waiting
        == "The store waits. If it is of “Notes”, move “\(shop.catalogue.path)/Twin” out of the catalogue; the job then "
        + "continues by itself. Otherwise fix that family. The store then goes to failed/, because it fits several families. Drop "
        + "the store again from “original” there, with a file “Store.sqlite.request.json5” beside it that says { family: \"Notes\" } "
        + "or { family: \"Twin\" }.")
    try shop.folder.write("{ x: 1 }", to: "models/Notes/family.json5")
    #expect(try dropFailure(shop).advice.hasPrefix("The store waits. To continue, fix those families. "))
    #expect(try shop.failure().advice.hasPrefix("Fix those families, then name the right one with --family. "))
  }

  @Test("advice for a drop names no option of the command line")
  func dropAdvice() throws {
    let shop = try Workshop("Note\n a String?", "Note\n b String? was a\n c String?")
    try shop.folder.write(
      "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>V1.xcdatamodel</string></dict></plist>",
      to: "models/Notes/Notes.xcdatamodeld/.xccurrentversion")
    try shop.makeStore(of: "V2", "")
    let failure = try shop.failure()
    #expect(failure.reason == .olderTarget && failure.advice.contains("--to"), "\(failure)")
    let advice = try dropFailure(shop).advice
    #expect(!advice.contains("--"), "\(advice)")
    #expect(advice.contains("as “to” in a file “Store.sqlite.request.json5” beside the store"), "\(advice)")
  }

  @Test("if the destination's tables aren't known for certain, the failure names the property")
  func unsettledDestination() throws {
    let shop = try Workshop("A\n  x String?", "A\n  x String?\n  friends ->> A.friends")
    try shop.makeStore("")
    let failure = try shop.failure()
    #expect(failure.disposition == .refuse)
    #expect(failure.reason == .unsettledLayout)
    #expect(failure.message == "Version “V2”: it isn't known for certain how Core Data stores this.")
    #expect(failure.details.count == 1 && failure.details[0].hasPrefix("A.friends: "))
    #expect(failure.advice.hasPrefix("Not even a genuine store settles that"))
    #expect(failure.description.contains("A.friends: ") && failure.description.hasSuffix(failure.advice))
  }

  @Test("if the disk is too small, the failure says that the job can be tried again")
  func diskTooSmall() throws {
    let shop = try shop()
    // A store with 8 TiB of zeros after its last page needs more than the free space.
    truncate(shop.source.path, 8 << 40)
    let failure = try failure(shop.job())
    #expect(failure.disposition == .retry)
    #expect(failure.exitCode == 75)
    #expect(failure.reason == .noRoom)
    #expect(failure.message.hasPrefix("\(shop.work.path) has "))
    #expect(failure.advice == "Free space on that file system.")
  }

  @Test("if a folder can't be written, the job can be tried again", arguments: ["work", "copy", "output"])
  func unwritable(which: String) throws {
    let shop = try shop()
    let file = try shop.folder.write("x", to: "file")
    var job = shop.job()
    switch which {
    case "work": job.workFolder = file.appendingPathComponent("work")
    case "copy":
      // A store with a `-journal` is first copied into the work folder.
      try Data(repeating: 0, count: 600).write(to: URL(fileURLWithPath: shop.source.path + "-journal"))
      job.workFolder = file.appendingPathComponent("work")
    default: job.output = file.appendingPathComponent("Store.sqlite")
    }
    let failure = try failure(job)
    #expect(failure.disposition == .retry, "\(failure)")
    #expect(failure.reason == .files)
    #expect(failure.coreDataCode == nil)
    #expect(failure.message.contains(file.path))
    #expect(failure.advice == "Check permissions and free space, then try again.")
    #expect(!FileManager.default.fileExists(atPath: job.output.path))
  }
}
