import DecantPolicies
import DecantStore
import Foundation
import Testing

@testable import DecantMigration

@Suite("Policies") struct PolicyTests {
  private static func shop(_ policy: String, _ types: [EntityMigrationPolicy.Type]) throws -> Workshop {
    var shop = try Workshop(
      "Note\n text String?\n category String?",
      "Note\n text String?\n categories ->> Category.notes\nCategory\n name String\n notes ->> Note.categories")
    for type in types { shop.policies.add(type) }
    try shop.map("{ source: \"Note\", destination: \"Note\", policy: \"\(policy)\" }")
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZCATEGORY) VALUES (1, 1, 1, 'bread', 'shop'), (2, 1, 3, 'milk', 'shop'),
        (3, 1, 1, 'idea', NULL), (5, 1, 1, 'trip', 'out'), (6, 1, 1, 'hill', 'out'), (9, 1, 1, 'eggs', 'shop');
      """)
    return shop
  }

  private static let kept = [
    "Category#1 name='shop' notes=[Note#1 Note#2 Note#9]", "Category#2 name='out' notes=[Note#5 Note#6]",
    "Note#1 text='bread' categories=[Category#1]", "Note#2 text='milk' categories=[Category#1]",
    "Note#3 text='idea'", "Note#5 text='trip' categories=[Category#2]",
    "Note#6 text='hill' categories=[Category#2]",
    "Note#9 text='eggs' categories=[Category#1]",
  ]
  private static let drawn = [
    "Category#1 name='shop' notes=[Note#10 Note#11 Note#15]", "Category#2 name='out' notes=[Note#13 Note#14]",
    "Note#10 text='bread' categories=[Category#1]", "Note#11 text='milk' categories=[Category#1]",
    "Note#12 text='idea'", "Note#13 text='trip' categories=[Category#2]",
    "Note#14 text='hill' categories=[Category#2]", "Note#15 text='eggs' categories=[Category#1]",
  ]
  private static let all: [(EntityMigrationPolicy.Type, [String])] = [
    (CategoryPolicy.self, kept), (ResumableCategoryPolicy.self, kept), (FetchingCategoryPolicy.self, drawn),
    (ContextCategoryPolicy.self, kept),
  ]

  @Test("a policy makes further objects, in chunks of any size", arguments: [nil, 1, 2, 4])
  func categories(size: Int?) throws {
    for (type, lines) in Self.all {
      let shop = try Self.shop("\(type)", [type])
      let result = try shop.migrate(chunkSize: size)
      #expect(result.lines == lines, "\(type)")
      #expect(result.accounts == ["NoteToNote 6 = 6 + 0"])
      #expect(result.report.steps.map(\.inserted) == [["Category": 2]], "\(type)")
      #expect(result.report.steps[0].entities.map(\.pass) == ["Step"])
    }
  }

  @Test("a run that is stopped anywhere continues to the same result")
  func killed() throws {
    for (type, lines) in Self.all {
      for stop in 1...40 {
        let shop = try Self.shop("\(type)", [type])
        let looks = Looks()
        do {
          _ = try Migration.run(shop.job(chunkSize: 1), shouldStop: { looks.count() >= stop })
        } catch {
          #expect(error.reason == .stopped)
          let report = try Migration.run(shop.job(chunkSize: 1))
          let result = try shop.finished(report)
          #expect(result.lines == lines, "\(type) after \(stop) looks")
          continue
        }
        #expect(stop > 6)
        break
      }
    }
  }

  @Test func aNameFindsTheClassWhateverItsModule() throws {
    // The module of the app is another than that of the worker.
    for name in ["DecantMigrationTests.CategoryPolicy", ".CategoryPolicy", "Notes.CategoryPolicy"] {
      #expect(try Self.shop(name, [CategoryPolicy.self]).migrate().lines == Self.kept, "\(name)")
    }
    let failure = try Self.shop("Notes.KategoryPolicy", [CategoryPolicy.self]).failure()
    #expect(failure.reason == .needsPolicy)
    #expect(
      failure.message.contains("Notes.KategoryPolicy")
        && failure.message.contains("DecantMigrationTests.CategoryPolicy"), "\(failure.message)")
    #expect(failure.disposition == .catalogue)
    #expect(
      failure.advice
        == "If DecantMigrationTests.CategoryPolicy is meant, correct the name in the mapping model; else "
        + "register Notes.KategoryPolicy in the worker.")
  }

  @Test func coreDatasBaseClassIsNoPolicyOfItsOwn() throws {
    var shop = try Self.shop("NSEntityMigrationPolicy", [])
    shop.policies = PolicyRegistry()
    #expect(try shop.migrate().lines.first == "Note#1 text='bread'")
  }

  @Test func anErrorOfFoundationsSpeaksInItsOwnWords() {
    let error = NSError(domain: "Notas", code: 42, userInfo: [NSLocalizedDescriptionKey: "no puede ser"])
    #expect(PolicyProblem.words(of: error) == "no puede ser (Notas 42)")
  }

  // MARK: Mistakes of policies

  /// Makes the mistake that the row's category names.
  final class Wrong: EntityMigrationPolicy {

    enum Refusal: Error, CustomStringConvertible {
      case notToday
      var description: String { "not today" }
    }

    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      guard sInstance.value(forKey: "text") as? String == "trip",
        let mistake = sInstance.value(forKey: "category") as? String
      else { return }
      let note = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])[
        0]
      switch mistake {
      case "throws": throw Refusal.notToday
      case "cancels": manager.cancelMigrationWithError(Refusal.notToday)
      case "key": note.setValue("x", forKey: "txet")
      case "key, saved":
        note.setValue("x", forKey: "txet")
        try? manager.destinationContext.save()
      case "read": _ = sInstance.value(forKey: "titel")
      case "type": note.setValue(Date(), forKey: "text")
      case "thing": note.setValue(NSObject(), forKey: "text")
      case "source": sInstance.setValue("x", forKey: "text")
      case "foreign":
        let other = ManagedObject(entity: note.entity, insertInto: nil)
        manager.associate(sourceInstance: sInstance, withDestinationInstance: other, for: mapping)
      case "crossed": manager.associate(sourceInstance: note, withDestinationInstance: sInstance, for: mapping)
      case "member": note.mutableSetValue(forKey: "categories").add(sInstance)
      case "entity": note.setValue(Set([note]), forKey: "categories")
      case "single": note.setValue(note, forKey: "categories")
      case "mapping":
        _ = manager.destinationInstances(forEntityMappingName: "NoteToNot", sourceInstances: [sInstance])
      case "new": _ = manager.destinationContext.insertObject(ofEntity: "Categroy")
      case "deleted":
        manager.destinationContext.delete(note)
        note.setValue("x", forKey: "text")
      default: break
      }
    }
  }

  @Test(
    "a mistake of a policy is reported with entity mapping, policy and object",
    arguments: [
      ("throws", "not today"), ("cancels", "not today"), ("key", "no property “txet”; perhaps “text” is meant"),
      ("key, saved", "no property “txet”"), ("read", "no property “titel”"), ("type", "Note.text"),
      ("thing", "“Note.text” was given NSObject"),
      ("source", "can't be set; the source stays as it is"), ("foreign", "not an object of the destination"),
      ("crossed", "a destination object, where a source object is wanted"),
      ("member", "a source object; “Note.categories” leads to destination objects"),
      ("entity", "leads to objects of “Category”; it was given an object of “Note”"),
      ("single", "takes a set or an array of objects"), ("mapping", "has an entity mapping “NoteToNot”"),
      ("new", "no entity “Categroy”"), ("deleted", "has been deleted"),
    ])
  func wrong(mistake: String, words: String) throws {
    let shop = try Self.shop("Wrong", [Wrong.self])
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZCATEGORY) VALUES (1, 1, 1, 'a', NULL), (7, 1, 1, 'trip', '\(mistake)')"
    )
    let failure = try shop.failure()
    #expect(failure.reason == .policyFailed && failure.disposition == .refuse)
    #expect(failure.message.contains(words), "\(failure.message)")
    #expect(
      failure.message.contains("“NoteToNote”") && failure.message.contains("policy Wrong")
        && failure.message.contains("Note/p7"), "\(failure.message)")
  }
}

/// Counts how often a run asks whether to stop.
final class Looks: @unchecked Sendable {
  private let lock = NSLock()
  private var looks = 0

  func count() -> Int {
    lock.withLock {
      looks += 1
      return looks
    }
  }

  /// When all objects are made, deletes some objects and makes some again.
  ///
  /// The text of each note says what is done.
  final class Replacing: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      guard sInstance.value(forKey: "text") as? String != "late" else { return }
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }

    override func endInstanceCreation(
      forMapping mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      for source in try manager.sourceContext.fetch(.init(entity: "Note")) {
        let text = source.value(forKey: "text") as? String ?? ""
        guard ["anew", "twice", "gone", "late"].contains(text) else { continue }
        for _ in 0..<(text == "twice" ? 2 : 1) {
          manager.destinationInstances(forEntityMappingName: "NoteToNote", sourceInstances: [source])
            .forEach(manager.destinationContext.delete)
          guard text != "gone" else { continue }
          let note = manager.destinationContext.insertObject(ofEntity: "Note")
          note.setValue(text, forKey: "text")
          if let own = manager.mappingModel.entityMappings.first(where: { $0.name == "NoteToNote" }) {
            manager.associate(sourceInstance: source, withDestinationInstance: note, for: own)
          }
        }
      }
    }
  }

  @Test(
    "only source objects that have no association at the end count as left out",
    arguments: [nil, 1, 3], [true, false])
  func associatedAnew(size: Int?, isOwn: Bool) throws {
    var shop = try Workshop(
      "Note\n text String?\nTag\n text String?", "Note\n text String?\nTag\n text String?\n more String?")
    shop.policies.add(Replacing.self)
    try shop.map(
      isOwn
        ? "{ source: \"Note\", destination: \"Note\", filter: \"text != 'kept back'\", policy: \"Replacing\" }, "
          + "{ remove: \"Tag\" }"
        : "{ source: \"Note\", destination: \"Note\", filter: \"text != 'kept back'\" }, "
          + "{ source: \"Tag\", destination: \"Tag\", policy: \"Replacing\" }")
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'plain'), (2, 1, 1, 'anew'), (3, 1, 1, 'gone'),
        (5, 1, 1, 'late'), (6, 1, 1, 'twice'), (7, 1, 1, 'kept back');
      """)
    // Objects that a policy makes for another entity mapping can't be verified.
    let report =
      try isOwn ? shop.migrate(chunkSize: size).report : Migration.run(shop.job(chunkSize: size))
    let rows = try #require(report.steps[0].entities.first)
    #expect(rows.source == 6 && rows.migrated == 4 && rows.filtered == 1 && rows.leftOut == 1, "\(rows)")
  }
}
