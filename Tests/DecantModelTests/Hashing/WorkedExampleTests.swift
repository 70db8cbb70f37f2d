import DecantModel
import PredicateFormat
import Testing

/// Checks the examples of docs/formats/version-hash.md 4.
@Suite("Version hashes of published stores")
struct WorkedExampleTests {
  @Test("two entities, one relationship")
  func departments() throws {
    let employees = Relationship(
      name: "employees", destinationEntityName: "Employee", inverseName: "dept", isOptional: true,
      maximumCount: 0)
    let optionalName = Attribute(name: "name", type: .string, isOptional: true)
    let dept = Relationship(
      name: "dept", destinationEntityName: "Dept", inverseName: "employees", isOptional: true)
    let requiredName = Attribute(name: "name", type: .string)
    #expect(
      employees.versionHash.hexadecimal == "e54c251505cd7f29fdc9dde90772057c73a585e7bef62413b93e5c137618a3cd")
    #expect(
      optionalName.versionHash.hexadecimal == "95fbc4c1911386502d590fc8780df611a28374298d32797165373f91204cbb08"
    )
    #expect(dept.versionHash.hexadecimal == "13966ba570cd5b81bd9286b84fa4cfd9253dd6d318cdeb71a9b6df8aed9882df")
    #expect(
      requiredName.versionHash.hexadecimal == "8cb9965c0031ac68913984f3110941ad965395be9fd9b17de7be54bc7ad46890"
    )
    let model = try ManagedObjectModel(entities: [
      Entity(name: "Dept", attributes: [optionalName], relationships: [employees]),
      Entity(name: "Employee", attributes: [requiredName], relationships: [dept]),
    ])
    #expect(
      model.entityVersionHashes.mapValues(\.hexadecimal) == [
        "Dept": "eae8b58e19d497ad3269f51933146a013e9cfac1b071f61399d441229a433d23",
        "Employee": "4b5510b044344d7929cb64b208ec3a90837cd6cbe9646f1986b6268dc393fdc7",
      ])
  }

  @Test("abstract parent, compound constraint, child")
  func regions() throws {
    let attributes = [
      Attribute(name: "markedForDeletionDate", type: .date, isOptional: true),
      Attribute(name: "numberOfMoods", type: .integer64),
      Attribute(name: "numericISO3166Code", type: .integer16),
      Attribute(name: "uniquenessDummy", type: .integer16), Attribute(name: "updatedAt", type: .date),
    ]
    #expect(
      attributes.map(\.versionHash.hexadecimal) == [
        "294b88ef5ff0633a8135236b7a2de97917f0aae778ff4b34c18793a4337c0acc",
        "b6932c98947c482b0187e2884dc08e073ac56b05be264e561054ad32b34fa804",
        "1e758bc8991294ea41a89dea9abc78d4f9919c1bcafba4dd6205cc06a922ce55",
        "fde22b08a8d462c7e8199078ebc10e70f2b1edd3d290ac987a975e89bb21b5ec",
        "86d859d4f9766837241ef061e60a52258cf99d85bb85d46f2a6d43393d9b3bab",
      ])
    let continent = Relationship(
      name: "continent", destinationEntityName: "Continent", inverseName: "countries", isOptional: true)
    let moods = Relationship(
      name: "moods", destinationEntityName: "Mood", inverseName: "country", maximumCount: 0)
    #expect(
      continent.versionHash.hexadecimal == "896250d737bdf758cc8b3f70518d56fc1409638f3e5062102be335afd9acdfce")
    #expect(moods.versionHash.hexadecimal == "e2f98c99a5b07b478009478aa2d690e4a2cbae14f544f7502a60e7ab266f544a")
    let model = try ManagedObjectModel(entities: [
      Entity(
        name: "GeographicRegion", isAbstract: true, attributes: attributes,
        uniquenessConstraints: [["numericISO3166Code", "uniquenessDummy"]]),
      Entity(name: "Country", superentityName: "GeographicRegion", relationships: [continent, moods]),
      Entity(
        name: "Continent", superentityName: "GeographicRegion",
        relationships: [
          Relationship(
            name: "countries", destinationEntityName: "Country", inverseName: "continent", maximumCount: 0)
        ]),
      Entity(
        name: "Mood",
        relationships: [Relationship(name: "country", destinationEntityName: "Country", inverseName: "moods")]),
    ])
    let hashes = model.entityVersionHashes.mapValues(\.hexadecimal)
    #expect(hashes["GeographicRegion"] == "c0e025164cb30e0c0736b581b14a9e832c948d9cbd6c58e189370e3c6afd6aa9")
    #expect(hashes["Country"] == "2ba027cc056ea4bd998833e904586241e1ee53afb33926c24ee9910d995fb001")
  }

  @Test("derived attributes")
  func derived() throws {
    let timestamp = Attribute(name: "timestamp", type: .date, isOptional: true)
    let updatedAt = Attribute(name: "updatedAt", type: .date, isOptional: true, derivationExpression: "now()")
    #expect(
      timestamp.versionHash.hexadecimal == "2ebbfa18a0443c3575b949f0f246a46553bcb56850a62bee75ff2d3079c1b510")
    #expect(
      updatedAt.versionHash.hexadecimal == "28a4dae0461e17af56e979c2095abfbe0bfc45fe9ca8abf3144338a518a1bb8f")
    let model = try ManagedObjectModel(entities: [Entity(name: "Item", attributes: [timestamp, updatedAt])])
    #expect(
      model.entityVersionHashes["Item"]?.hexadecimal
        == "b6c91c38d3288d74e7155424d5e50ee447978b1b6f5185360196366ab209d12b")
    let count = Attribute(name: "n", type: .integer32, derivationExpression: "pages.@count")
    let other = Attribute(
      name: "other", type: .integer64, isOptional: true, derivationExpression: " pages.@count")
    #expect(count.versionHash.bytes == MessageDigest.sha256(Array("count:(pages)".utf8)))
    #expect(other.versionHash == count.versionHash)
  }

  @Test("digest and checksum of a whole model")
  func digests() throws {
    let hashes = [
      "ProjectEntity": "0897f2b6ad39db7e494b972caa1b3663b5c2203bbd54074a0a0479785925c952",
      "TranslationEntity": "d5fcdd66606098712cb3732132125d921977fafc50f673a900c84ff6a15f6e2f",
      "ExpressionEntity": "ed3d706f6ad74254c8e597c96d9e74611eaed252b54227a5edc5bba17ced7de0",
    ].compactMapValues(VersionHash.init(hexadecimal:))
    #expect(hashes.count == 3)
    #expect(
      hashes.digest
        == "nooajZQSgyz1CArNsdRwonY8T7oAxgFToYvztOt/++DLHNR233Z6x011AfzwGI16uPOwAaxWG6/02yi8cqGu7A==")
    #expect(hashes.checksum == "MlSV2D358WzopzlqyUL5xIP5UWDAIjauelaH6UJIYXM=")
  }
}
