import CatalogueSupport
import DecantModel
import Foundation
import Testing

@testable import DecantCatalogue

@Suite("Which version came first") struct VersionOrderTests {
  private func order(
    _ versions: [(String, [Entity])], current: String?, _ body: (Family, VersionOrder) throws -> Void
  ) throws {
    try CatalogueFolder.with { folder in
      for (name, entities) in versions {
        try folder.write(
          CatalogueFolder.contents(entities), to: "Notas/N.xcdatamodeld/\(name).xcdatamodel/contents")
      }
      if let current { try folder.writeCurrent(current, bundle: "Notas/N.xcdatamodeld") }
      let family = try folder.family("Notas")
      try body(family, VersionOrder(of: family, versions: family.versions))
    }
  }

  @Test func numbersCountMoreThanAnIdentifierThatNamesALaterProperty() throws {
    try order([("M2.53.0", note("isSilenced<muted")), ("M2.54.0", note("muted"))], current: "M2.54.0") {
      family, order in
      #expect(order.relation(of: 0, to: 1) == .before && order.relation(of: 1, to: 0) == .after)
    }
  }

  @Test func theCurrentVersionCountsMoreThanAnIdentifier() throws {
    try order([("Alpha", note("old<new")), ("Omega", note("new"))], current: "Omega") { family, order in
      #expect(order.relation(of: 0, to: 1) == .before && order.knownRelation(of: 0, to: 1) == .before)
    }
  }

  @Test func anIdentifierAloneIsASuspicion() throws {
    try order([("Alpha", note("new<old")), ("Omega", note("old"))], current: nil) { family, order in
      #expect(order.relation(of: 1, to: 0) == .before && order.knownRelation(of: 1, to: 0) == .unknown)
    }
  }
}
