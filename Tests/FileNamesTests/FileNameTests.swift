import Foundation
import Testing

@testable import FileNames

/// “é” as one code point and as two: equal strings in Swift, but two names in a file system.
private let composed = "caf\u{E9}"
private let decomposed = "cafe\u{301}"

@Suite("File names are compared by bytes")
struct FileNameTests {
  @Test func namesInTwoNormalFormsAreTwoNames() {
    let (one, other) = (FileName(composed), FileName(decomposed))
    #expect(composed == decomposed)
    #expect(one != other)
    #expect(Set([one, other]).count == 2)
    #expect(one.isOtherForm(of: other))
    #expect(!one.isOtherForm(of: one))
    #expect([one, other].sorted() == [other, one])
    #expect(FileName(bytes: [0xC3]) != FileName(bytes: [0xC4]))
    #expect(!FileName(bytes: [0xC3]).isOtherForm(of: FileName(bytes: [0xC4])))
  }

  @Test(
    "a printed name can be read back to the same bytes",
    arguments: [composed, decomposed, "a\\b", "a\\\\x0a", "\n\t\u{7F}", "👩‍👩‍👧", "Notas 2", "\u{301}"])
  func printedAndRead(text: String) {
    #expect(PrintedName.name(of: PrintedName.of(text)) == FileName(text), "\(PrintedName.of(text))")
    #expect(PrintedName.name(of: FileName(text).escaped) == FileName(text))
  }

  @Test("a text with a wrong escape isn't a printed name", arguments: ["a\\", "\\x0", "\\xAG", "\\n", "\\x0A"])
  func notPrinted(text: String) { #expect(PrintedName.name(of: text) == nil) }

  @Test func printedBytesThatAreNoText() {
    let name = FileName(bytes: [0x61, 0xFF, 0x5C])
    #expect(PrintedName.name(of: name.description) == name)
  }

  @Test func beginningsAndEndingsAreBytesEvenWithinAGrapheme() {
    // In Swift the combining mark belongs to another character, so that the string lacks this suffix.
    let marked = FileName("N.sqlite\u{301}-wal")
    #expect(marked.hasSuffix("-wal"))
    #expect(marked.dropping("-wal") == FileName("N.sqlite\u{301}"))
    #expect(FileName("N-\u{301}wal").dropping("-wal") == nil)
    #expect(FileName("N-wal\u{301}").dropping("-wal") == nil)
    #expect(FileName("-wal").dropping("-wal") == nil)
    #expect(FileName(".\u{301}N").hasPrefix("."))
    #expect(!FileName(composed).hasSuffix("e\u{301}"))
  }

  @Test func aNameIsPrintedAsItIsAndEscapedWhereThatWouldNotShow() {
    #expect("\(FileName(decomposed))" == "cafe\\xcc\\x81")
    #expect("\(FileName(composed))".utf8.elementsEqual(composed.utf8))
    #expect(FileName(decomposed).escaped == "cafe\\xcc\\x81")
    #expect(FileName(composed).escaped == "caf\\xc3\\xa9")
    #expect("\(FileName(bytes: [0x61, 0xFF, 0x0A]))" == "a\\xff\\x0a")
    #expect("\(FileName("a\nb"))" == "a\\x0ab")
    #expect("\(FileName("a\u{202E}b"))" == "a\\xe2\\x80\\xaeb")
    #expect(FileName.list(["b", "a"]) == "“a”, “b”")
    #expect(
      FileName.list([FileName(composed), FileName(decomposed)]) == "“cafe\\xcc\\x81”, “\(composed)”")
  }

  @Test(arguments: ["Notas 3.sqlite", "\u{1E69}x", "日本", "데이터", "👧🏽.db", "🇪🇸", "x\u{302}", "हिन्दी", "\u{4F60}='\""])
  func whatIsComposedAndCanBeSeenIsPrintedAsItIs(text: String) {
    #expect("\(FileName(text))".utf8.elementsEqual(text.utf8))
  }

  @Test(arguments: [
    ("데", "\\xe1\\x84\\x83\\xe1\\x85\\xa6"), ("\u{212A}", "\\xe2\\x84\\xaa"), ("\u{301}x", "\\xcc\\x81x"),
    ("x\u{338}e\u{301}", "x\u{338}e\\xcc\\x81"), ("\u{200D}x", "\\xe2\\x80\\x8dx"),
    ("a\u{200B}b", "a\\xe2\\x80\\x8bb"),
    ("a\\xcc", "a\\\\xcc"), ("\\\u{302}", "\\\\\\xcc\\x82"), ("é e\u{301}", "é e\\xcc\\x81"),
    ("a\r\nb", "a\\x0d\\x0ab"),
  ])
  func whatLooksLikeAnotherNameIsEscaped(text: String, shown: String) {
    let text = text == "데" ? "데".decomposedStringWithCanonicalMapping : text
    #expect("\(FileName(text))".utf8.elementsEqual(shown.utf8), "\(FileName(text))")
  }

  @Test(
    arguments: [
      0xA0, 0x1680, 0x2003, 0x202F, 0x205F, 0x3000, 0x2800, 0x34F, 0xFE0F, 0xE0101, 0x115F, 0x1160, 0x3164,
      0xFFA0,
      0x200C, 0x200D, 0x200E, 0x202E, 0x2066, 0x61C, 0xAD, 0x180E, 0x2060, 0xFEFF, 0xE0061, 0x85, 0x7F, 0x2028,
      0xE000, 0x378,
    ] as [UInt32])
  func whatCannotBeSeenIsEscaped(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    for text in ["a\(scalar)b", "\(scalar)", "日\(scalar)"] {
      #expect(PrintedName.of(text).hasSuffix(FileName("\(scalar)").escaped + (text.hasSuffix("b") ? "b" : "")))
      #expect(!PrintedName.of(text).unicodeScalars.contains(scalar), "\(PrintedName.of(text))")
    }
    let quoted = ShellQuoting.quote("a\(scalar)b")
    #expect(quoted == "$'a" + FileName("\(scalar)").escaped + "b'")
  }

  @Test func namesThatDifferArePrintedDifferently() {
    let names = [
      composed, decomposed, "cafe\\xcc\\x81", "K", "\u{212A}", "a\u{323}\u{307}", "\u{1EA1}\u{307}",
      "\u{227}\u{323}",
      "ab", "a\u{200B}b",
    ].map { FileName($0) }
    #expect(Set(names.map { Array($0.description.utf8) }).count == names.count)
  }

  @Test func aNameComesBackFromJSONByteForByte() throws {
    for text in [composed, decomposed, "\u{301}x", "\u{212A}"] {
      let data = try JSONEncoder().encode([FileName(text)])
      #expect(try JSONDecoder().decode([FileName].self, from: data) == [FileName(text)])
    }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode([FileName(bytes: [0xFF])]) }
  }

  @Test func whoTypesANameMeansTheOneOfTheseBytesElseTheOnlyOneThatLooksLikeIt() {
    #expect(FileName.meant(by: composed, among: [decomposed, composed])?.utf8.count == 5)
    #expect(FileName.meant(by: composed, among: ["x", decomposed])?.utf8.count == 6)
    #expect(FileName.meant(by: "\u{1E69}", among: ["\u{1E61}\u{323}", "s\u{323}\u{307}"]) == nil)
    #expect(FileName.meant(by: "y", among: ["x"]) == nil)
  }

  @Test(arguments: [
    ("/a/b", "/a", "b"), ("b", ".", "b"), ("/b", "/", "b"), ("a//b/", "a", "b"), ("/", ".", ""),
    ("/a/\u{301}b", "/a", "\u{301}b"), ("/a/\u{200D}b", "/a", "\u{200D}b"),
  ])
  func aPathIsTakenApartByBytes(path: String, folder: String, name: String) {
    #expect(PathText.name(of: path) == FileName(name))
    #expect(FileName(PathText.folder(of: path)) == FileName(folder))
  }
}

@Suite("Names of the files around a store")
struct StoreNamesTests {
  @Test func theStemIsFoundByBytes() {
    #expect(StoreNames.stem("N.sqlite") == "N")
    #expect(StoreNames.stem("N.a.sqlite") == "N.a")
    #expect(StoreNames.stem(".N") == ".N")
    #expect(StoreNames.stem("N.") == "N.")
    #expect(StoreNames.stem("N.\u{301}s") == "N")
    #expect(StoreNames.support(FileName(decomposed + ".sqlite")) == FileName(".\(decomposed)_SUPPORT"))
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func aSiblingInTheOtherFormIsFoundAndWhatBelongsToAnotherStoreIsNot(suffix: String) {
    let (store, stray) = (FileName(composed + ".sqlite"), FileName(decomposed + ".sqlite" + suffix))
    let found = LookAlikes([store, stray]).otherForms(ofFilesOf: store)
    #expect(found.map(\.found) == [stray])
    #expect(found.map(\.expected) == [store + suffix])
    #expect(found.first?.isTaken == false)
    #expect(LookAlikes([store, stray]).otherForms(of: FileName(decomposed + ".sqlite")) == [store])
    let other = FileName(decomposed + ".sqlite")
    #expect(LookAlikes([store, stray, other]).otherForms(ofFilesOf: store).isEmpty)
    #expect(LookAlikes([store, store + suffix]).otherForms(ofFilesOf: store).isEmpty)
    #expect(LookAlikes([store, store + suffix, stray]).otherForms(ofFilesOf: store).map(\.isTaken) == [true])
  }

  @Test func foldersAndRequestsInTheOtherFormAreFoundToo() {
    let store = FileName(composed + ".sqlite")
    let support = FileName(".\(decomposed)_SUPPORT")
    let request = FileName(decomposed + ".sqlite.request.json5")
    let folder = LookAlikes([store, support, request])
    #expect(folder.otherForms(ofFilesOf: store).map(\.found) == [support])
    #expect(Set(folder.otherForms(ofFilesOf: store, withRequests: true).map(\.found)) == [support, request])
  }

  @Test func asciiHasOtherFormsAsWell() {
    let form = LookAlikes(["K.sqlite", "\u{212A}.sqlite-wal"]).otherForms(ofFilesOf: "K.sqlite")
    #expect(form.map(\.found) == ["\u{212A}.sqlite-wal"])
    #expect(!FileName("Notas.sqlite").mayHaveOtherForms)
  }

  @Test func theCommandMendsTheNameOrSetsTheFileAside() {
    let store = FileName(composed + ".sqlite")
    var form = OtherForm(
      store: store, found: FileName(decomposed + ".sqlite-wal"), expected: store + "-wal", isTaken: false)
    #expect(
      form.command(in: "/in") == "mv -n $'/in/cafe\\xcc\\x81.sqlite-wal' $'/in/caf\\xc3\\xa9.sqlite-wal'")
    #expect(form.sentence.contains("“cafe\\xcc\\x81.sqlite-wal”"))
    #expect(form.sentence.contains("“caf\\xc3\\xa9.sqlite-wal”"))
    form.isTaken = true
    #expect(
      form.command(in: "/in/F", aside: "/in")
        == "mv -n $'/in/F/cafe\\xcc\\x81.sqlite-wal' $'/in/.cafe\\xcc\\x81.sqlite-wal'")
  }
}
