import CommandSupport
import Foundation
import Testing

@testable import DecantCommand

extension NewMappingTests {
  private func attribute(_ name: String, _ type: String, isOptional: Bool = true) -> String {
    "<attribute name=\"\(name)\" \(isOptional ? "optional=\"YES\" " : "")attributeType=\"\(type)\"/>"
  }

  private func versions(_ old: [String], _ new: [String]) throws {
    try write("One", note(old.joined()) + tags(Self.name))
    try write("Two", note(new.joined()) + tags(Self.name))
  }

  @Test(
    "a new attribute is matched with the dropped attribute of similar name and type, not with the first one")
  func letters() throws {
    try versions(
      [
        attribute("hasCoverageData", "Boolean"), attribute("success_rank", "Integer 32"),
        attribute("success_streak", "Integer 32"),
      ], [attribute("successStreak", "Integer 32"), attribute("total", "Integer 64")])
    let output = new().output
    #expect(
      output.contains(#"// successStreak: "$source.success_streak",  // probably the same under a new name"#),
      "\(output)")
    // Each new attribute is offered every dropped one that fits.
    #expect(
      output.contains(#"// successStreak: "$source.success_rank",  // continues “success_rank”"#), "\(output)")
    #expect(output.contains(#"// total: "$source.success_rank",  // continues “success_rank”"#), "\(output)")
    #expect(!output.contains("$source.hasCoverageData"), "\(output)")
  }

  @Test("a new required string can take a dropped string or a part of it, and the check accepts each choice")
  func requiredTexts() throws {
    try versions(
      [attribute("name", "String")],
      ["firstName", "lastName"].map { attribute($0, "String", isOptional: false) })
    try #require(new("--output", text).code == 0)
    let written = try String(contentsOfFile: text, encoding: .utf8)
    let choices = [
      "coalesce($source.name, '')", "coalesce(split($source.name, ' ', 0), '')",
      "coalesce(split($source.name, ' ', -1), '')", "''",
    ]
    #expect(
      written.split { $0.isWhitespace || $0 == "/" }.joined(separator: " ").contains(
        "A choice for “firstName” or “lastName” can take the values."), "\(written)")
    for choice in choices {
      var chosen = written
      for name in ["firstName", "lastName"] {
        let line = "\(name): \"\(choice)\","
        #expect(chosen.contains("// \(line)"), "\(line)\n\(written)")
        chosen = chosen.replacing("// \(line)", with: line)
      }
      try Data(chosen.utf8).write(to: URL(fileURLWithPath: text))
      let check = Captured(["check", folder.path("Models")])
      #expect(check.code == 0, "\(check.output)\n\(chosen)")
    }
    try versions(
      [attribute("name", "String", isOptional: false)], [attribute("firstName", "String", isOptional: false)])
    #expect(new().output.contains(#"// firstName: "split($source.name, ' ', 0)","#))
  }
}
