import DecantModel
import Foundation
import Testing

@Suite("Other elements of a model's file “contents”")
struct ModelReadingTests {
  @Test("by default a relationship is a required to-one without an inverse, with the delete rule Nullify")
  func plainRelationship() throws {
    #expect(try ModelText.relationship("") == Relationship(name: "r", destinationEntityName: "Otra"))
  }

  @Test("a to-many relationship has no limit by default, and counts have 32 bits")
  func counts() throws {
    #expect(try ModelText.relationship("toMany=\"YES\"").maximumCount == 0)
    #expect(try ModelText.relationship("toMany=\"YES\" minCount=\"2\" maxCount=\"9\"").maximumCount == 9)
    #expect(try ModelText.relationship("toMany=\"YES\" minCount=\"2\" maxCount=\"9\"").minimumCount == 2)
    #expect(try ModelText.relationship("toMany=\"YES\" maxCount=\"-1\"").isToMany)
    for text in ["x", "1.5", "99999999999", "-99999999999", "9999999999999999999999"] {
      let error = #expect(throws: ModelError.self) { try ModelText.relationship("maxCount=\"\(text)\"") }
      #expect(
        error?.description
          == "relationship “Nota.r”: “maxCount” is “\(text)”, where a whole number of 32 bits is expected")
    }
  }

  @Test(
    "delete rules are read",
    arguments: [
      ("No Action", .noAction), ("Nullify", .nullify), ("Cascade", .cascade), ("Deny", .deny),
    ] as [(String, DeleteRule)])
  func deletion(word: String, rule: DeleteRule) throws {
    #expect(try ModelText.relationship("deletionRule=\"\(word)\"").deleteRule == rule)
  }

  @Test("flags and texts of a relationship are read")
  func relationshipAttributes() throws {
    let text =
      "optional=\"YES\" transient=\"YES\" indexed=\"YES\" ordered=\"YES\" toMany=\"YES\" elementID=\"old\" "
      + "versionHashModifier=\"m\" inverseName=\"vuelta\" inverseEntity=\"Otra\""
    let relationship = try ModelText.relationship(
      text, inside: "<userInfo><entry key=\"k\" value=\"v\"/></userInfo>")
    #expect(
      relationship
        == Relationship(
          name: "r", destinationEntityName: "Otra", inverseName: "vuelta", isOptional: true, isTransient: true,
          isIndexed: true, isOrdered: true, maximumCount: 0, renamingIdentifier: "old",
          versionHashModifier: "m",
          userInfo: ["k": "v"]))
  }

  @Test("an entity's own settings, its indexes and its constraints are read")
  func entity() throws {
    let entity = try ModelText.entity(
      "<attribute name=\"a\" attributeType=\"String\"/><attribute name=\"b\" attributeType=\"String\"/>"
        + "<fetchedProperty name=\"f\" optional=\"YES\"><fetchRequest name=\"fetchedPropertyFetchRequest\" entity=\"Otra\" "
        + "predicateString=\"x == $FETCH_SOURCE\"/></fetchedProperty>"
        + "<fetchIndex name=\"i\" partialIndexPredicate=\"a != nil\"><fetchIndexElement property=\"a\" type=\"Binary\" "
        + "order=\"descending\"/><fetchIndexElement expression=\"length(b)\" type=\"RTree\"/></fetchIndex>"
        + "<compoundIndexes><compoundIndex><index value=\"a\"/><index value=\"b\"/></compoundIndex></compoundIndexes>"
        + "<uniquenessConstraints><uniquenessConstraint><constraint value=\"b\"/><constraint value=\"a\"/>"
        + "</uniquenessConstraint></uniquenessConstraints><userInfo><entry key=\"k\" value=\"v\"/></userInfo>",
      "representedClassName=\".Nota\" isAbstract=\"YES\" elementID=\"Old\" versionHashModifier=\"m\" syncable=\"YES\" "
        + "codeGenerationType=\"class\" parentEntity=\"\"")
    #expect(entity.managedObjectClassName == ".Nota")
    #expect(entity.isAbstract)
    #expect(entity.superentityName == nil)
    #expect(entity.renamingIdentifier == "Old")
    #expect(entity.versionHashModifier == "m")
    #expect(entity.compoundIndexes == [["a", "b"]])
    #expect(entity.uniquenessConstraints == [["b", "a"]])
    #expect(entity.userInfo == ["k": "v"])
    #expect(entity.fetchedProperties.map(\.name) == ["f"])
    #expect(entity.fetchedProperties.first?.request?.predicateFormat == "x == $FETCH_SOURCE")
    #expect(
      entity.fetchIndexes == [
        FetchIndex(
          name: "i",
          elements: [
            .init(property: "a", isAscending: false),
            .init(property: "length(b)", kind: .rTree, isAscending: true),
          ], partialIndexPredicate: "a != nil")
      ])
  }

  @Test("fetch requests, configurations, the identifier and inheritance are read")
  func rest() throws {
    let data = ModelText.model(
      "<entity name=\"B\" parentEntity=\"A\"/><entity name=\"A\" isAbstract=\"YES\"/>"
        + "<fetchRequest name=\"f\" entity=\"A\" predicateString=\"TRUEPREDICATE\" fetchLimit=\"5\" fetchBatchSize=\"2\" "
        + "resultType=\"1\" includeSubentities=\"YES\" returnObjectsAsFaults=\"NO\"/>"
        + "<configuration name=\"Local\"><memberEntity name=\"A\"/></configuration>"
        + "<elements><element name=\"A\" positionX=\"0\"/></elements>",
      "type=\"\(ModelText.type)\" userDefinedModelVersionIdentifier=\"2.1\"")
    let reading = try ModelContentsReader.read(data)
    #expect(reading.warnings.isEmpty)
    let model = reading.model
    #expect(model.versionIdentifiers == ["2.1"])
    #expect(model.entities.map(\.name) == ["A", "B"])
    #expect(model.isKind("B", of: "A"))
    #expect(model.configurations == [ModelConfiguration(name: "Local", entityNames: ["A"])])
    #expect(
      model.fetchRequests == [
        FetchRequestTemplate(
          name: "f", entityName: "A", predicateFormat: "TRUEPREDICATE", fetchLimit: 5, fetchBatchSize: 2,
          resultType: 1, flags: ["includeSubentities": true, "returnObjectsAsFaults": false])
      ])
  }

  @Test("a model without an identifier has an empty one, and a model needs no entities")
  func emptyModel() throws {
    let model = try ModelText.read("").model
    #expect(model.entities.isEmpty)
    #expect(model.versionIdentifiers == [""])
    #expect(model.entityVersionHashes.isEmpty)
  }

  @Test("unknown content is ignored with a warning that names it")
  func warnings() throws {
    let reading = try ModelText.read(
      "<novelty/>\n<entity name=\"N\">\n<gadget/></entity><entity name=\"M\"><relationship name=\"r\" "
        + "destinationEntity=\"N\" deletionRule=\"Explode\" toMany=\"YES\" maxCount=\"1\"/></entity>")
    #expect(
      reading.warnings == [
        "line 2: unknown element “novelty” in model ignored",
        "line 4: unknown element “gadget” in entity “N” ignored",
        "relationship “M.r” is to-many with a maximum of 1, which Core Data treats as to-one",
        "relationship “M.r” has the unknown deletion rule “Explode”; read as Nullify",
      ])
  }

  @Test("many warnings that differ only in names become one with a count; three stay separate")
  func manyAlike() throws {
    let model = try ModelText.read("").model
    let three = (1...3).map { "entity “E\($0)”: odd" }
    let many = (1...13).map { "attribute “A.\($0)”: the user info “k\($0)” is an NSMutableDictionary" }
    let reading = ModelReading(model: model, warnings: [three[0]] + many + three.dropFirst())
    #expect(
      reading.warnings == [
        three[0], "attribute “A.1”: the user info “k1” is an NSMutableDictionary (and 12 more like this)",
        three[1], three[2],
      ])
  }

  @Test("each unknown attribute or element within properties is reported once, with its first line")
  func unknownWords() throws {
    let reading = try ModelText.read(
      "<entity name=\"N\" shape=\"round\">\n<attribute name=\"a\" weight=\"1\"/>\n<attribute name=\"b\" weight=\"2\">"
        + "<inner/></attribute>\n<fetchIndex name=\"i\"><fetchIndexElement property=\"a\" bits=\"3\"/></fetchIndex></entity>"
    )
    #expect(
      reading.warnings == [
        "line 2: unknown attribute “shape” of “entity” ignored",
        "line 3: unknown attribute “weight” of “attribute” ignored, and 1 more of these",
        "line 4: unknown element “inner” of “attribute” ignored",
        "line 5: unknown attribute “bits” of “fetchIndexElement” ignored",
      ])
    let many = (0..<3000).map { " x\($0)=\"1\"" }.joined()
    let warnings = try ModelText.read("<entity name=\"N\"\(many)/>").warnings
    #expect(
      warnings == [
        "line 2: unknown attribute “x0” of “entity” ignored (and 19 more like this)",
        "980 more unknown words ignored",
      ])
  }
}
