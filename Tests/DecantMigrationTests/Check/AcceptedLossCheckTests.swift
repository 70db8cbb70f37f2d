import Foundation
import Testing

@testable import DecantMigration

@Suite("Accepted losses that no step loses") struct AcceptedLossCheckTests {
  /// The accepted losses for which the check notes that no step loses them.
  private func unlost(
    _ accepted: [String], _ texts: String..., further: String = "", mapping: (String, String, String)? = nil
  ) throws -> [String] {
    let list = accepted.map { "\"\($0)\"" }.joined(separator: ", ")
    let shop = try Workshop(texts, family: "{ \(further)\n acceptedLosses: [\(list)] }")
    if let mapping {
      try shop.map("Step", mapping.2, further: "", source: mapping.0, destination: mapping.1)
    }
    let report = try #require(try CatalogueCheck.report(at: shop.catalogue).families.first)
    #expect(report.isUsable, "\(report.findings)")
    let notes = report.findings.filter { $0.message.contains("no step of the catalogue's versions loses") }
    guard let note = notes.first else { return [] }
    #expect(notes.count == 1 && note.severity == .note && note.line == 2)
    #expect(note.file?.hasSuffix("/Notes/family.json5") == true)
    return note.message.split(separator: "”").filter { $0.contains("“") }.map {
      String($0.drop { $0 != "“" }.dropFirst())
    }.filter { $0 != "acceptedLosses" }
  }

  @Test func whatInferredStepsKeepIsTold() throws {
    let old = "Note\n a String?\n b String?\n c String?\nMemo < Note\n d String?\nTag\n x String?"
    let new = "Note\n a String?\n b2 String? was b\n e String?\nMemo < Note\n d String?"
    #expect(
      try unlost(
        ["Note.a", "Note.b", "Note.c", "Note.e", "Memo", "Memo.d", "Memo.c", "Tag", "Tag.x"], old, new)
        == ["Note.a", "Note.b", "Note.e", "Memo", "Memo.d", "Tag.x"])
    #expect(try unlost(["Note.c", "Tag"], old, new) == [])
  }

  /// A name in an earlier version also stands for the same property under its later names.
  @Test func aNameIsFollowedThroughRenames() throws {
    let texts = [
      "Note\n a String?\n z String?", "Memo was Note\n b String? was a\n z String?", "Memo\n z String?",
    ]
    #expect(
      try unlost(
        ["Note.a", "Memo.b", "Note.z", "Memo.z"], texts[0], texts[1], texts[2],
        further: "path: [\"V1\", \"V2\", \"V3\"],") == ["Note.z", "Memo.z"])
  }

  /// If two relationships become each other's inverse, some of their pairs may be lost.
  @Test func relationshipsThatMayHoldFewerPairsAndFilesThatMayBeMissingCount() throws {
    let old = "Note\n tags ->> Tag\n more ->> Tag.others\n data Binary? external"
    let new = "Note\n tags ->> Tag.note\n more ->> Tag.others\n data Binary?"
    #expect(
      try unlost(
        ["Note.tags", "Tag.note", "Note.more", "Note.data"],
        "\(old)\nTag\n note -> Note\n others ->> Note.more",
        "\(new)\nTag\n note -> Note.tags\n others ->> Note.more") == ["Note.more"])
  }

  @Test func whatReachesAMappingModelMayBeLostThere() throws {
    let texts = ["Note\n a String?\nTag\n x String?", "Note\n a String?\nTag\n x String?\n y String?"]
    let copies = "{ source: \"Note\", destination: \"Note\" }, { source: \"Tag\", destination: \"Tag\" }"
    #expect(
      try unlost(["Note.a", "Tag", "Tag.y"], texts[0], texts[1], mapping: ("V1", "V2", copies)) == ["Tag.y"])
    #expect(try unlost(["Note.a", "Tag", "Tag.y"], texts[0], texts[1]) == ["Note.a", "Tag", "Tag.y"])
  }

  @Test func nothingIsToldWhereAWayEndsInAnError() throws {
    #expect(try unlost(["Note.a"], "Note\n a String?", "Note\n a String?\n b String") == [])
    #expect(try unlost(["Note.a"], "Note\n a String?", "Note\n a String?\n b String?") == ["Note.a"])
  }
}
