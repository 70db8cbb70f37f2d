import DecantModel
import Foundation
import Testing

/// Lines and columns of the values in a text.
@Suite struct JSON5PlaceTests {
  private func place(_ path: [JSON5Step], _ text: String) -> String? {
    JSON5Value.place(of: path, in: Data(text.utf8)).map { "\($0.line):\($0.column)" }
  }

  @Test func placesAreThoseOfValuesInObjectsAndLists() {
    let text = "{ a: 1, // one\n  \"b c\": [2, { d: 'x' }],\n}"
    #expect(place([], text) == "1:1")
    #expect(place([.key("a")], text) == "1:6")
    #expect(place([.key("b c")], text) == "2:10")
    #expect(place([.key("b c"), .index(0)], text) == "2:11")
    #expect(place([.key("b c"), .index(1), .key("d")], text) == "2:19")
  }

  @Test func whatIsntThereHasNoPlace() {
    #expect(place([.key("b")], "{ a: 1 }") == nil)
    #expect(place([.index(1)], "[1]") == nil)
    #expect(place([.key("a")], "") == nil)
    // Values before a fault are still found.
    #expect(place([.key("a")], "{ a: 1, ") == "1:6")
  }

  @Test func aVersionHashIsReadFromItsText() {
    let text = String(repeating: "0aF9", count: 16)
    #expect(VersionHash(hexadecimal: text)?.hexadecimal == text.lowercased())
    #expect(VersionHash(hexadecimal: String(text.dropLast())) == nil)
    #expect(VersionHash(hexadecimal: text.dropLast() + "g") == nil)
    #expect(VersionHash(hexadecimal: String(repeating: "é", count: 32)) == nil)
  }
}
