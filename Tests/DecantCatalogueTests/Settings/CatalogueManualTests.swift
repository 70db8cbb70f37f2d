import DecantTestSupport
import Foundation
import Testing

@testable import DecantCatalogue

/// decantd.json5(5) explains exactly the keys of `family.json5` that the code reads.
@Suite("The manual page of the catalogue")
struct CatalogueManualTests {
  private func text(_ path: String) throws -> String {
    return try Repository.text(path)
  }

  @Test("every key of family.json5 is explained, and no other")
  func keys() throws {
    let page = try text("man/decantd.json5.5")
    let section = try #require(page.components(separatedBy: ".Ss Keys of family.json5").last)
    let keys = (section.components(separatedBy: ".Sh ").first ?? "").split(separator: "\n")
      .filter { $0.hasPrefix(".It Cm ") }.map { String($0.dropFirst(7)) }
    #expect(keys.sorted() == FamilyConfiguration.Key.all.map(\.name).sorted())
    let rows = try text("docs/catalogue.md").split(separator: "\n")
    for key in FamilyConfiguration.Key.all {
      let row = rows.first { $0.hasPrefix("| `\(key.name)` |") } ?? ""
      #expect(row.contains(key.meaning), "\(key.name): \(row)")
    }
    let table = rows.drop { $0 != "| key | value | |" }.dropFirst(2).prefix { $0.hasPrefix("| ") }
    #expect(table.count == keys.count)
  }

  @Test("every form of a family's models is named")
  func forms() throws {
    let page = try text("man/decantd.json5.5")
    for form in [".xcdatamodeld", ".xcdatamodel\n", ".momd", ".mom\n", "reference/", "merge", "configurations"]
    {
      #expect(page.contains(form), "\(form)")
    }
  }
}
