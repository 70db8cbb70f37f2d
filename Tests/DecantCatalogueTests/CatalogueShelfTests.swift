import CatalogueSupport
import DecantModel
import Foundation
import Synchronization
import Testing

@testable import DecantCatalogue

@Suite("Families that a process keeps in memory for its next jobs")
struct CatalogueShelfTests {
  /// A clock that tests move forward, so that a recent change is long ago for the shelf.
  private final class Clock: Sendable {
    private let ahead = Mutex(0)
    func advance(by seconds: Int) { ahead.withLock { $0 += seconds } }
    var now: Int { Int(Date().timeIntervalSince1970) + ahead.withLock { $0 } }
  }

  private func family(_ shelf: CatalogueShelf, _ folder: CatalogueFolder) throws -> Family {
    try #require(try shelf.catalogue(at: folder.url).families.first)
  }

  /// Calls the body with a catalogue of one family with one version.
  ///
  /// The clock is a minute ahead, so that the family's files were written long ago for the shelf.
  private func with(_ body: (CatalogueFolder, CatalogueShelf, Clock) throws -> Void) throws {
    try CatalogueFolder.with { folder in
      try folder.write([("Notas", note("texto"))], bundle: "Notas/Notas.xcdatamodeld")
      let clock = Clock()
      clock.advance(by: 60)
      try body(folder, CatalogueShelf { clock.now }, clock)
    }
  }

  @Test("a family is read once while its folder doesn't change")
  func kept() throws {
    try with { folder, shelf, _ in
      let first = try family(shelf, folder)
      let wasRead = shelf.hasNews
      #expect(wasRead)
      let second = try family(shelf, folder)
      let wasReadAgain = shelf.hasNews
      #expect(!wasReadAgain)
      let isSame = first.memory === second.memory
      #expect(first.memory != nil)
      #expect(isSame)
      #expect(second.versions.map(\.name) == ["Notas"])
    }
  }

  @Test("a family that was read while the disk failed isn't kept")
  func failedRead() throws {
    try with { folder, shelf, _ in
      try folder.write("{ dataLoss: \"refuse\" }", to: "Notas/family.json5")
      try folder.write("", to: "Notas/reference/Store.sqlite")
      let expected = try shelf.catalogue(at: folder.url)
      for number in 1...100 {
        let shelf = CatalogueShelf { Int(Date().timeIntervalSince1970) + 60 }
        let plan = DiskFaultPlan(
          at: folder.url.appendingPathComponent("Notas").path, failAt: number, isPersistent: false, code: EIO)
        _ = try plan.arming { try shelf.catalogue(at: folder.url) }
        let next = try shelf.catalogue(at: folder.url)
        #expect(
          next.families.map(\.versions.count) == expected.families.map(\.versions.count), "read \(number)")
        #expect(next.families.first?.configuration.dataLoss == .refuse, "read \(number)")
        #expect(next.families.first?.referenceStores.count == 1, "read \(number)")
        guard plan.hasFailed else { return }
        let wasReadAgain = shelf.hasNews
        #expect(wasReadAgain)
      }
    }
  }

  @Test("a changed, a new and a removed file are noticed, even if size and modification time are the same")
  func changed() throws {
    try with { folder, shelf, _ in
      let first = try family(shelf, folder)
      let file = folder.url.appendingPathComponent("Notas/Notas.xcdatamodeld/Notas.xcdatamodel/contents")
      let before = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
      try folder.write([("Notas", note("titel"))], bundle: "Notas/Notas.xcdatamodeld")
      try FileManager.default.setAttributes([.modificationDate: try #require(before)], ofItemAtPath: file.path)
      let second = try family(shelf, folder)
      #expect(second.versions[0].model.attribute("titel", of: "Note") != nil)
      let isSame = second.memory === first.memory
      #expect(!isSame)

      try folder.write("{ dataLoss: \"refuse\" }", to: "Notas/family.json5")
      let stated = try family(shelf, folder)
      #expect(stated.configuration.dataLoss == .refuse)
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("Notas/family.json5"))
      let unstated = try family(shelf, folder)
      #expect(unstated.configuration.dataLoss != .refuse)
    }
  }

  @Test("a family behind a link is read again when the link's target changes")
  func linked() throws {
    try with { folder, shelf, _ in
      let models = folder.url.appendingPathComponent("Notas")
      let place = folder.url.appendingPathComponent(".elsewhere")
      try FileManager.default.moveItem(at: models, to: place)
      try FileManager.default.createSymbolicLink(at: models, withDestinationURL: place)
      let first = try family(shelf, folder)
      let isSame = try family(shelf, folder).memory === first.memory
      #expect(isSame)
      try folder.write([("Notas", note("texto", "otro"))], bundle: ".elsewhere/Notas.xcdatamodeld")
      let other = try family(shelf, folder)
      #expect(other.versions[0].model.attribute("otro", of: "Note") != nil)
    }
  }

  @Test("a family whose folder has just changed is read again, because a second change could go unnoticed")
  func justChanged() throws {
    try with { folder, _, _ in
      let clock = Clock()
      let shelf = CatalogueShelf { clock.now }
      let first = try family(shelf, folder)
      #expect(first.memory == nil)
      clock.advance(by: 10)
      let second = try family(shelf, folder)
      #expect(second.memory != nil)
    }
  }

  @Test("a broken family isn't kept, and its change doesn't affect the other families")
  func broken() throws {
    try with { folder, shelf, _ in
      try folder.write([("Cartas", note("texto", named: "Carta"))], bundle: "Cartas/Cartas.xcdatamodeld")
      try folder.write("{ target: ", to: "Notas/family.json5")
      let first = try shelf.catalogue(at: folder.url)
      #expect(first.brokenFamilies.map(\.name) == ["Notas"])
      let cartas = try #require(try shelf.catalogue(at: folder.url, family: "Cartas").families.first)
      try folder.write("{}", to: "Notas/family.json5")
      let catalogue = try shelf.catalogue(at: folder.url)
      #expect(catalogue.families.map(\.name) == ["Cartas", "Notas"])
      let isSame = catalogue.families[0].memory === cartas.memory
      #expect(isSame)
    }
  }

  @Test("for a bundle given alone, only new files that belong to its family make the shelf read it again")
  func bundleAlone() throws {
    try with { folder, shelf, _ in
      let bundle = folder.url.appendingPathComponent("Notas/Notas.xcdatamodeld")
      func memory() throws -> FamilyMemory? { try shelf.catalogue(at: bundle).families.first?.memory }
      let first = try memory()
      let stamp = try #require(FamilyStamp(of: bundle.path, at: .max))
      try folder.write("output", to: "Notas/Out.sqlite")
      let isSame = try memory() === first
      #expect(first != nil)
      #expect(isSame)
      #expect(stamp.holds)
      for companion in ["family.json5", "Other.xcdatamodeld/contents"] {
        let before = try #require(FamilyStamp(of: bundle.path, at: .max))
        try folder.write("{}", to: "Notas/" + companion)
        let isStale = !before.holds
        #expect(isStale)
      }
      let isFound = try memory() !== first
      #expect(isFound)
      let last = try #require(FamilyStamp(of: bundle.path, at: .max))
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("Notas/family.json5"))
      let isGone = !last.holds
      #expect(isGone)
    }
  }
}
