import FileNames
import Testing

@Suite("Many names in little memory")
struct NameListTests {
  @Test("names are in the order of their bytes, in any normal form")
  func order() {
    let names: [FileName] = ["b", "a", "", "\u{E9}", "e\u{301}", "ab", "a"]
    let list = NameList(names)
    #expect(Array(list) == names.sorted())
    #expect(list.index(of: "ab") == 3 && list.index(of: "\u{E9}") == 6 && list.index(of: "c") == nil)
    #expect(NameList([]).isEmpty && NameList([]).index(of: "a") == nil)
    #expect(NameList([FileName(bytes: [0xFF, 0x61])]).first?.bytes == [0xFF, 0x61])
  }

  @Test("names with the same start are found, and names of two lists are compared")
  func starts() {
    let list = NameList(["N", "N.sqlite", "N.db", "N2", "M.sqlite"])
    #expect(Array(list.names(from: "N.")) == ["N.db", "N.sqlite"])
    #expect(Array(list.names(from: "X")).isEmpty)
    let other = NameList(["N", "O"])
    #expect(list.compare(1, with: 0, of: other) == 0)
    #expect(list.compare(0, with: 0, of: other) < 0 && list.compare(1, with: 1, of: other) < 0)
    #expect(list.compare(2, with: 0, of: other) > 0)
  }
}
