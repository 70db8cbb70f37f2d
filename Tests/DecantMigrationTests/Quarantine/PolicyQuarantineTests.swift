import DecantPolicies
import DecantVerification
import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration

@Suite("Quarantine: objects that policies make") struct PolicyQuarantineTests {
  private static let types: [EntityMigrationPolicy.Type] = [CategoryPolicy.self, ResumableCategoryPolicy.self]

  private static func shop(_ type: EntityMigrationPolicy.Type) throws -> Workshop {
    var shop = try Workshop(
      "Note\n text String?\n category String?",
      "Note\n text String\n categories ->> Category.notes\nCategory\n name String max 3\n notes ->> Note.categories"
    )
    shop.policies.add(type)
    try shop.map(
      "Step", "{ source: \"Note\", destination: \"Note\", policy: \"\(type)\" }",
      further: "validation: \"quarantine\",")
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZCATEGORY) VALUES (1, 1, 1, 'bread', 'shop'), (2, 1, 3, NULL, 'shop'),
        (3, 1, 1, 'idea', NULL), (5, 1, 1, 'trip', 'out'), (6, 1, 1, NULL, 'out'), (9, 1, 1, 'eggs', 'shop');
      """)
    return shop
  }

  private static let lines = [
    "Category#2 name='out' notes=[Note#5]", "Note#1 text='bread'", "Note#3 text='idea'",
    "Note#5 text='trip' categories=[Category#2]", "Note#9 text='eggs'",
  ]
  private static let aside = [
    "Category#1 name='shop' notes=[Note#2]", "Note#2 categories=[Category#1]", "Note#6",
  ]
  private static let list = [
    "Category#1 name 1660 <  notes=Note/p1 Note/p9", "Note#2 text 1570 < Note/p2",
    "Note#6 text 1570 < Note/p6 categories=Category/p2",
  ]

  @Test("objects that break a rule go to quarantine, with or without a source object", arguments: [nil, 1, 4])
  func putAside(size: Int?) throws {
    for type in Self.types {
      let (result, aside) = try Self.shop(type).putAside(chunkSize: size)
      #expect(result.lines == Self.lines, "\(type)")
      #expect(aside.lines == Self.aside, "\(type)")
      #expect(aside.list == Self.list, "\(type)")
      #expect(result.fullAccounts == ["NoteToNote 6 = 4 + 0 + 2"])
    }
  }

  /// Makes no object from a note with the text “idea”.
  final class Leaving: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      guard sInstance.value(forKey: "text") as? String != "idea" else { return }
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }
  }

  @Test(
    "a comparison counts objects that a policy left out, not those that are filtered or in quarantine"
  )
  func leftOut() throws {
    var shop = try Workshop("Note\n text String?\n category String?", "Note\n text String")
    shop.policies.add(Leaving.self)
    try shop.map(
      "Step",
      """
      { source: "Note", destination: "Note", policy: "Leaving", filter: "category != 'out'",
        attributes: { text: "$source.text" } }
      """, further: "validation: \"quarantine\",")
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZCATEGORY) VALUES (1, 1, 1, 'bread', 'shop'), (2, 1, 3, NULL, 'shop'),
        (3, 1, 1, 'idea', 'shop'), (5, 1, 1, 'trip', 'out'), (6, 1, 1, NULL, 'out'), (9, 1, 1, 'eggs', 'shop');
      """)
    _ = try Migration.run(shop.job())
    let report = try shop.verify()
    #expect(report.isEqual, "\(report)")
    func count(_ kind: Verification.Expected.Kind) -> Int {
      report.expected.filter { $0.kind == kind && $0.property == nil }.reduce(0) { $0 + $1.count }
    }
    #expect(count(.filtered) == 2 && count(.leftToPolicy) == 1, "\(report)")
    #expect(
      report.lines().first
        == "Equal, as far as Decant can check. A policy left 1 source object out, or deleted its object.",
      "\(report)")
  }

  @Test("a run that is stopped anywhere continues to the same stores") func stopped() throws {
    for type in Self.types {
      for stop in 1...60 {
        let shop = try Self.shop(type)
        let looks = Looks()
        do {
          _ = try Migration.run(shop.job(chunkSize: 2), shouldStop: { looks.count() >= stop })
        } catch {
          #expect(error.reason == .stopped)
          let result = try shop.finished(try Migration.run(shop.job(chunkSize: 2)))
          let aside = try PutAside(shop, version: "V2")
          #expect(result.lines == Self.lines && aside.list == Self.list, "\(type) after \(stop) looks")
          #expect(aside.lines == Self.aside, "\(type) after \(stop) looks")
          continue
        }
        #expect(stop > 6)
        break
      }
    }
  }
}
