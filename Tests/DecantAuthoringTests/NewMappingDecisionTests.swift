import CommandSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

extension NewMappingTests {
  @Test("the comment of each open change says how many of its lines to choose")
  func decisions() throws {
    func attributes(_ names: String...) -> String {
      names.map { #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"# }.joined()
    }
    try write("One", note(attributes("fullName", "size")) + tags(Self.name))
    try write(
      "Two",
      note(
        attributes("first", "last")
          + #"<attribute name="size" optional="YES" attributeType="Integer 32"/>"#) + tags(Self.name))
    let output = new().output
    let lines = output.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let words = output.split { $0.isWhitespace || $0 == "/" }.joined(separator: " ")
    #expect(
      words.contains("remove this comment. Otherwise choose one, and remove the “ ” of its lines:"), "\(output)"
    )
    #expect(
      lines.contains(
        #"// first: "split($source.fullName, ' ', 0)",  // one part of the text for each attribute, split at spaces; use all of these lines together"#
      ), "\(output)")
    #expect(lines.contains(#"// last: "split($source.fullName, ' ', -1)","#), "\(output)")
    #expect(words.contains("to Integer 32. Choose one, and remove its “ ”:"), "\(output)")
    // With both parts chosen, the check accepts the text.
    var chosen = output
    for line in [#"first: "split($source.fullName"#, #"last: "split($source.fullName"#, "size: null"] {
      chosen = chosen.replacing("// \(line)", with: line)
    }
    try Data(chosen.utf8).write(to: URL(fileURLWithPath: text))
    let check = Captured(["check", folder.path("Models")])
    #expect(check.code == 0, "\(check.output)\n\(chosen)")
    // The objects of one entity can become objects of two.
    try writeHeavy()
    let heavy = new().output.split { $0.isWhitespace || $0 == "/" }.joined(separator: " ")
    #expect(
      heavy.contains(
        "Choose one for all objects, or several with a filter each, and remove the “ ” of their lines:"),
      "\(heavy)")
  }
}
