import DecantModel
import PredicateFormat
import Testing

@testable import DecantMapping

/// Faults in the relationships of a mapping model.
@Suite struct RelationshipCheckTests {
  @Test(arguments: [
    (
      "author: { mapping: 'PersonToPersn' }",
      "error NoteToNote.author: there is no entity mapping “PersonToPersn”. Perhaps “PersonToPerson” is meant"
    ),
    (
      "author: { path: '$source.author', mapping: 'Wrong' }",
      "error NoteToNote.author: the entity mapping “Wrong” makes objects of “Tag”, and the relationship leads to “Person”. Name an entity mapping that makes objects of “Person”"
    ),
    (
      "author: { mapping: 'TagToTag' }",
      "warning NoteToNote.author: the path leads to objects of “Person”, and the entity mapping “TagToTag” takes those of “Tag”, so that nothing is found. Correct the path or the entity mapping's name"
    ),
    (
      "author: '$source.author'",
      "error NoteToNote.author: “$source.author” gives source objects, and a relationship leads to destination objects. Write { path: \"$source.author\" }, which gives what became of them"
    ),
    (
      "author: { path: '$source.tags', mapping: 'TagToPerson' }",
      "warning NoteToNote.author: “$source.tags” leads to several objects, and the relationship to one. Write a path to one object; otherwise the relationship gets the first of the objects"
    ),
    (
      "tags: { path: '$source.title' }",
      "error NoteToNote.tags: “Note.title” is an attribute and leads to no objects. Write { path: \"$source.tags\" } with a key path to a source relationship, to get the destination objects of its targets. Or write { path: \"$source\", mapping: \"NAME\" } to get the object that another entity mapping makes of the same source object, such as an entity mapping to “Tag” with uniqueBy: \"$source.title\". Or have a policy set the relationship"
    ),
    (
      "tags: '$source.title'",
      "error NoteToNote.tags: “$source.title” gives the value of the attribute “Note.title”, and a relationship needs objects. Write { path: \"$source.tags\" } with a key path to a source relationship, to get the destination objects of its targets. Or write { path: \"$source\", mapping: \"NAME\" } to get the object that another entity mapping makes of the same source object, such as an entity mapping to “Tag” with uniqueBy: \"$source.title\". Or have a policy set the relationship"
    ),
    (
      "author: { mapping: 'New' }",
      "warning NoteToNote.author: the path leads to objects of “Person”, and the entity mapping “New” takes those of no entity, so that nothing is found. Correct the path or the entity mapping's name"
    ),
    (
      "tags: { mapping: 'Gone' }",
      "error NoteToNote.tags: the entity mapping “Gone” removes objects and makes none. Name another entity mapping"
    ),
    (
      "tags: \"FUNCTION($manager, 'destinationInstances:', 1)\"",
      "error NoteToNote.tags: the migration manager answers no call “destinationInstances:”. The manager answers only “destinationInstancesForEntityMappingNamed:sourceInstances:” and “destinationInstancesForSourceRelationshipNamed:sourceInstances:”, with a name and source objects as arguments"
    ),
  ])
  func whatARelationshipsExpressionCantGiveIsTold(row: String, expected: String) throws {
    let mappings = """
      { source: 'Person', destination: 'Person' }, { name: 'Wrong', source: 'Person', destination: 'Tag' },
      { source: 'Tag', destination: 'Tag', filter: 'word != nil' },
      { name: 'TagToPerson', source: 'Tag', destination: 'Person', filter: 'word == nil',
        attributes: { name: '"x"' } }, { name: 'Gone', source: 'Tag', type: 'remove' },
      { name: 'New', add: 'Person' },
      { source: 'Note', destination: 'Note', relationships: { \(row) } }
      """
    #expect(try findings(mappings) == [expected])
  }

  @Test func entityMappingsOfOtherPassesMayBeNamed() throws {
    let other = MappingModel(
      name: "First", origin: .inferred,
      entityMappings: [
        EntityMapping(name: "Early", type: .transform, sourceEntityName: "Tag", destinationEntityName: "Tag")
      ])
    let mapping = "{ source: 'Note', destination: 'Note', relationships: { tags: { mapping: 'Early' } } }"
    #expect(try findings(mapping, passes: [other]) == [])
    #expect(try findings(mapping).count == 1)
  }

  @Test func aRequiredRelationshipThatNothingSetsIsAWarning() throws {
    var link = toOne("a", "A", inverse: "bs")
    link.isOptional = false
    let one = try model(entity("A", [], [toMany("bs", "B", inverse: "a")]), entity("B", [], [link]))
    let source = try model(entity("A"), entity("B"))
    let mappings = "{ source: 'A', destination: 'A' }, { source: 'B', destination: 'B' }"
    #expect(
      try findings(mappings, from: source, to: one) == [
        "warning BToB.a: the relationship is required, and nothing sets it. Write an expression for it, or for its inverse"
      ])
    let set =
      "{ source: 'A', destination: 'A', relationships: { bs: { path: '$source', mapping: 'AToB' } } }, "
      + "{ source: 'A', destination: 'B' }"
    #expect(try findings(set, from: source, to: one) == [])
  }
}
