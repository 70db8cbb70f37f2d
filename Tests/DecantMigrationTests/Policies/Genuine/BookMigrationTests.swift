import DecantPolicies
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@testable import DecantMigration
@testable import DecantReport

/// The policy for books in both steps.
///
/// The user info of the entity mapping names the step.
///
/// For version 2 the author's name becomes an object that all books of the author share. For version 3 the file's
/// address becomes an object for each user of the book.
final class MHWBookToBookPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard mapping.userInfo?["modelVersion"] as? String == "2",
      let name = sInstance.value(forKey: "authorName") as? String,
      let book = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance]
      ).first
    else { return }
    // One author for each name, over all chunks. The manager's user info would be lost when the process ends.
    let context = manager.destinationContext
    let known = try context.fetch(
      .init(
        entity: "Author",
        predicate: .compare(.path(from: .selfObject, [.key("name")]), .equal, .constant(.string(name)))))
    let author = known.first ?? context.insertObject(ofEntity: "Author")
    author.setValue(name, forKey: "name")
    book.setValue(Set([author]), forKey: "authors")
  }

  override func createRelationships(
    forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    guard mapping.userInfo?["modelVersion"] as? String == "3",
      let sInstance = manager.sourceInstances(
        forEntityMappingName: mapping.name, destinationInstances: [dInstance]
      ).first,
      let address = sInstance.value(forKey: "fileURL"),
      let users = (sInstance.value(forKey: "users") as? NSSet)?.allObjects as? [ManagedObject]
    else { return }
    for user in users.sorted(by: { $0.objectID.key < $1.objectID.key }) {
      let file = manager.destinationContext.insertObject(ofEntity: "File")
      file.setValue(address, forKey: "fileURL")
      file.setValue(dInstance, forKey: "book")
      // The user exists already if the pass with the users ran before this pass.
      let made = manager.destinationInstances(forEntityMappingName: "UserToUser", sourceInstances: [user])
      file.setValue(made.first, forKey: "user")
    }
  }
}

@Suite("Heavy: bookmigration", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct BookMigrationTests {
  private static let usersFirst = #"{ order: ["Model2_to_Model3_User", "Model2_to_Model3"] }"#
  private static let usersLast = #"{ order: ["Model2_to_Model3", "Model2_to_Model3_User"] }"#

  private func family(_ configuration: String?, _ origin: HeavyFamily.Origin = .genuine("Model1.sqlite")) throws
    -> HeavyFamily
  {
    try HeavyFamily(
      "stores/bookmigration", origin, policies: ["MHWBookToBookPolicy": MHWBookToBookPolicy.self],
      configuration: configuration)
  }

  @Test("to version 2, with one author for each name")
  func authors() throws {
    let family = try family(nil)
    let result = try family.checkEveryManner(to: "Model2")
    #expect(result.allAccounts == ["UserToUser 3 = 3", "BookToBook 4 = 4"])
    #expect(result.counts == ["User": 3, "Book": 4, "Author": 3])
    let authors = result.store.all("Author").map { author in
      "\(author.object.text("name") ?? "")"
        + ": \((author.object.toMany["books"] ?? []).compactMap { result.store.objects[$0]?.text("title") }.sorted())"
    }
    #expect(
      authors.sorted() == [
        #"Franz Kafka: ["Metamorphosis", "The Trial"]"#, #"Thomas Bernhard: ["Extinction"]"#,
        #"Witold Gombrowicz: ["Cosmos"]"#,
      ])
    // A book's `user` becomes the only object of its `users`. Addresses stay the same byte by byte.
    for (key, book) in result.source.all("Book") {
      let now = try #require(result.store.objects[key])
      #expect(now.toMany["users"] == book.toOne["user"].map { [$0] })
      #expect(
        now.attributes["fileURL"] == book.attributes["fileURL"] && now.text("title") == book.text("title"))
    }
    try family.checkRefusal(
      to: "Model2", naming: "MHWBookToBookPolicy", in: "Model1_to_Model2.xcmappingmodel")
  }

  @Test("to version 3 in two passes, users first: the second pass finds the objects of the first")
  func files() throws {
    let family = try family(Self.usersFirst)
    let result = try family.checkEveryManner(to: nil)
    #expect(
      result.report.steps.map(\.passes)
        == [["Model1_to_Model2"], ["Model2_to_Model3_User", "Model2_to_Model3"]])
    #expect(
      result.allAccounts.suffix(3)
        == ["UserToUser 3 = 3", "BookToBook 4 = 4", "AuthorToAuthor 3 = 3"])
    #expect(result.counts == ["User": 3, "Book": 4, "Author": 3, "File": 4])
    try checkFiles(result) { $0 }
    try family.checkRefusal(to: nil, naming: "MHWBookToBookPolicy", in: "Model")
  }

  @Test("to version 3 in two passes, books first: no user exists yet when the files are made")
  func filesOfNobody() throws {
    let result = try family(Self.usersLast).checkEveryManner(to: nil)
    #expect(
      result.report.steps.map(\.passes)
        == [["Model1_to_Model2"], ["Model2_to_Model3", "Model2_to_Model3_User"]])
    #expect(result.counts == ["User": 3, "Book": 4, "Author": 3, "File": 4])
    try checkFiles(result) { _ in nil }
  }

  @Test func withoutAWrittenOrderItIsRefused() throws {
    let family = try family(nil)
    let failure = #expect(throws: MigrationFailure.self) { try Migration.plan(family.job(to: "Model3")) }
    #expect(failure?.reason == .passOrder)
    let words = ([failure?.message ?? ""] + (failure?.details ?? [])).joined(separator: " ")
    #expect(words.contains("2 mapping models") && words.contains("Model2_to_Model3"), "\(words)")
    #expect(failure?.disposition == .catalogue)
  }

  @Test("a generated store of version 2: a file for each user of a book")
  func generated() throws {
    let family = try family(
      Self.usersFirst,
      .generated(version: "Model2", rows: 90, then: "UPDATE ZBOOK SET ZFILEURL = NULL WHERE Z_PK % 7 = 0;"))
    let result = try family.checkEveryManner(to: nil, sizes: [1, 7, 40])
    let books = result.source.all("Book").filter { $0.object.attributes["fileURL"] != nil }
    let uses = books.reduce(0) { $0 + ($1.object.toMany["users"]?.count ?? 0) }
    #expect(uses > 10 && result.counts == result.source.counts.merging(["File": uses]) { $1 })
    for (key, book) in result.source.all("Book") {
      let now = try #require(result.store.objects[key])
      #expect(now.toMany["authors"] == book.toMany["authors"] && now.text("title") == book.text("title"))
      let files = (now.toMany["files"] ?? []).compactMap { result.store.objects[$0] }
      let users = book.attributes["fileURL"] == nil ? nil : book.toMany["users"]
      #expect(files.compactMap { $0.toOne["user"] }.sorted() == (users ?? []), "\(key)")
      #expect(files.allSatisfy { address($0) == address(book) }, "\(key)")
    }
  }

  /// The text in the archive of `fileURL`.
  ///
  /// The policy sets this value, so the archive is written again.
  private func address(_ object: LogicalStore.Object) -> String? {
    guard case .blob(let data)? = object.attributes["fileURL"] else { return nil }
    return try? Archive(parsing: data).root().string
  }

  /// Each book has one file, with the book's former address.
  private func checkFiles(
    _ result: Migrated, user: (LogicalStore.Key) -> LogicalStore.Key?
  ) throws {
    for (key, book) in result.source.all("Book") {
      let now = try #require(result.store.objects[key])
      let files = (now.toMany["files"] ?? []).compactMap { result.store.objects[$0] }
      #expect(files.count == 1 && files.first.flatMap(address) == address(book))
      #expect(files.first?.toOne["user"] == book.toOne["user"].flatMap(user), "\(key)")
      #expect(files.first?.toOne["book"] == key)
      let author = now.toMany["authors"]?.first.flatMap { result.store.objects[$0]?.text("name") }
      #expect(now.toMany["authors"]?.count == 1 && author == book.text("authorName"))
    }
  }
}
