import Foundation
import KeyedArchive
import Testing

@Suite("XML property lists")
struct XMLPropertyListTests {
  private static let head =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
    + "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n"

  private func parse(_ body: String, _ limits: PropertyListLimits = PropertyListLimits()) throws -> PropertyList
  {
    try PropertyList(parsing: Data("\(Self.head)<plist version=\"1.0\">\(body)</plist>\n".utf8), limits: limits)
  }

  static let kinds: [(String, PropertyList)] = [
    ("<string>a &amp; ñ</string>", .string("a & ñ")), ("<string/>", .string("")),
    ("<integer>5</integer>", .integer(5)), ("<integer>-9223372036854775808</integer>", .integer(.min)),
    ("<integer>1</integer>", .integer(1)), ("<integer>18446744073709551615</integer>", .unsigned(.max)),
    ("<real>1.5</real>", .real(1.5)), ("<true/>", .boolean(true)), ("<false/>", .boolean(false)),
    ("<date>2001-01-01T00:00:01Z</date>", .date(1)), ("<data>AAEC</data>", .data(Data([0, 1, 2]))),
    ("<array><integer>1</integer><true/></array>", .array([.integer(1), .boolean(true)])),
    ("<dict><key>a</key><dict/></dict>", .dictionary(["a": .dictionary([:])])),
  ]

  @Test("a value of every kind is read", arguments: kinds)
  func value(text: String, value: PropertyList) throws {
    #expect(try parse(text) == value)
  }

  @Test("Xcode's file about the current version is read")
  func currentVersion() throws {
    let list = try parse(
      "<dict>\n\t<key>_XCCurrentVersionName</key>\n\t<string>Notas 2.xcdatamodel</string>\n</dict>")
    #expect(list["_XCCurrentVersionName"]?.string == "Notas 2.xcdatamodel")
  }

  @Test(
    "other files are refused",
    arguments: [
      "", " ", "hello", "{ a = b; }", "<plist", "<plist></plist>", "<html/>", "\u{0}\u{1}", "(((((",
      "<plist><integer>99999999999999999999999999</integer></plist>",
      "<plist><dict><key>a</key></dict></plist>",
      "<plist><array><string>a</array></plist>",
    ])
  func refused(text: String) {
    #expect(throws: PropertyListError.self) { try PropertyList(parsing: Data(text.utf8)) }
  }

  @Test("too deep nesting is refused, in XML and in the old text form", arguments: [300, 100_000])
  func depth(levels: Int) {
    func nested(_ open: String, _ close: String) -> String {
      String(repeating: open, count: levels) + String(repeating: close, count: levels)
    }
    #expect(throws: PropertyListError.self) { try parse(nested("<array>", "</array>")) }
    #expect(throws: PropertyListError.self) { try PropertyList(parsing: Data(nested("(", ")").utf8)) }
  }

  @Test("more values than the limit are refused")
  func values() {
    let body = "<array>\(String(repeating: "<true/>", count: 20))</array>"
    #expect(throws: PropertyListError.tooManyObjects(limit: 10)) {
      try parse(body, PropertyListLimits(maximumValues: 10))
    }
  }

  @Test("an external XML entity isn't read")
  func entities() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("decant-\(UUID().uuidString)")
    try Data("secret".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let text =
      "<!DOCTYPE plist [<!ENTITY e SYSTEM \"\(file.absoluteString)\">]><plist><string>&e;</string></plist>"
    let list = try? PropertyList(parsing: Data(text.utf8))
    #expect(list?.string?.contains("secret") != true)
  }

  @Test("a list cut off at any byte is refused; with any byte changed it is read or refused")
  func damage() {
    let text = Data(
      "\(Self.head)<plist version=\"1.0\"><dict><key>a</key><array><real>1</real><data>AA==</data></array></dict></plist>"
        .utf8)
    for length in 0..<(text.count - 8) {
      #expect(throws: PropertyListError.self, "\(length)") { try PropertyList(parsing: text.prefix(length)) }
    }
    for index in 0..<text.count {
      for byte in [0, 0x20, 0x26, 0x3c, 0xff] as [UInt8] {
        var copy = text
        copy[index] = byte
        _ = try? PropertyList(parsing: copy)
      }
    }
  }
}
