import DecantModel
import DecantTestSupport
import Foundation
import Testing

@testable import DecantStore
@testable import DecantXMLStore

@Suite("IDs of a relationship in an XML store")
struct XMLIDListTests {
  private func items(_ text: String) -> [XMLIDList.Item] {
    var list = XMLIDList(text)
    var items: [XMLIDList.Item] = []
    while let item = list.next() { items.append(item) }
    return items
  }

  @Test("an ID is a z and a number, with any white space between IDs")
  func sound() {
    #expect(items("") == [])
    #expect(items(" \n") == [])
    #expect(items("z1") == [.key(1)])
    #expect(
      items(" z1\tz22\n\nz999999999999999999 ") == [.key(1), .key(22), .key(999_999_999_999_999_999)])
  }

  @Test(
    "a word that isn't an ID is returned, and of a long word only the beginning",
    arguments: ["z", "y1", "z0", "z01", "z-1", "z1x", "z1000000000000000000", "zé1"])
  func wrong(word: String) {
    #expect(items("z5 \(word) z6") == [.key(5), .wrong(word), .key(6)])
    #expect(XMLObject.key(of: word) == nil)
    #expect(items(String(repeating: "q", count: 1000)) == [.wrong(String(repeating: "q", count: 40))])
  }

  @Test("a list of half a million IDs is read in proportional time and memory", .timeLimit(.minutes(10)))
  func long() throws {
    let model = try ManagedObjectModel(entities: [
      Entity(
        name: "Note",
        relationships: [
          Relationship(name: "tags", destinationEntityName: "Tag", inverseName: "note", maximumCount: 0)
        ]),
      Entity(
        name: "Tag",
        relationships: [Relationship(name: "note", destinationEntityName: "Note", inverseName: "tags")]),
    ])
    let folder = try TemporaryFolder()
    let path = folder.path("Store.xml")
    let objects =
      "<object type=\"NOTE\" id=\"z1\"><relationship name=\"tags\" type=\"0/0\" destination=\"TAG\" idrefs=\""
      + String(repeating: "z2 ", count: 500_000) + "\"/></object><object type=\"TAG\" id=\"z2\"/>"
    try Data(XMLStoreText(model, objects: objects).text.utf8).write(to: URL(fileURLWithPath: path))
    let store = try SourceStore.open(path, scratch: folder.path("scratch"))
      .filled(as: model, version: "V", scratch: folder.path("scratch"))
    #expect(try store.rows("SELECT ZNOTE FROM ZTAG") == [[.integer(1)]])
    #expect(
      store.warnings.contains {
        $0.contains("499,999 references are left out, because the same reference is there before")
      })
  }
}
