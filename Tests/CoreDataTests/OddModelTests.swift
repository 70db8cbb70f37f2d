import CoreData
import DecantModel
import DecantPolicies
import DecantTestSupport
import Foundation
import Testing

@Suite("Models in code that are put together in any order") struct OddModelTests {
  /// Two models, and entities and properties that belong to one of them or to none.
  private struct Play {
    var dice: Dice
    let models = [NSManagedObjectModel(), NSManagedObjectModel()]
    var entities: [NSEntityDescription]
    var attributes: [NSAttributeDescription]
    var relationships: [NSRelationshipDescription]

    init(_ seed: UInt64) {
      dice = Dice(seed)
      entities = (0..<6).map { number in
        let entity = NSEntityDescription()
        entity.name = "E\(number)"
        return entity
      }
      attributes = (0..<6).map { number in
        let attribute = NSAttributeDescription()
        attribute.name = "a\(number)"
        attribute.attributeType = .string
        return attribute
      }
      relationships = (0..<6).map { [entities] number in
        let relationship = NSRelationshipDescription()
        relationship.name = "r\(number)"
        relationship.destinationEntity = entities[number]
        return relationship
      }
    }

    private mutating func some<Item>(_ items: [Item]) -> [Item] { items.filter { _ in dice.chance(40) } }

    mutating func move() {
      let (entity, other) = (dice.pick(entities), dice.pick(entities))
      let relationship = dice.pick(relationships)
      switch dice.below(12) {
      case 0: dice.pick(models).entities = dice.chance(70) ? entities : some(entities)
      case 1: entity.properties = some(attributes) + some(relationships)
      case 2: entity.subentities = some(entities)
      case 3: relationship.destinationEntity = dice.chance(95) ? entity : nil
      case 4: relationship.inverseRelationship = dice.chance(10) ? dice.pick(relationships) : nil
      case 5: entity.name = dice.chance(95) ? "E\(dice.below(40))" : nil
      case 6: dice.pick(attributes).name = "a\(dice.below(40))"
      case 7: relationship.name = "r\(dice.below(40))"
      case 8: entity.properties += [dice.pick(attributes)]
      case 9: dice.pick(models).setEntities(some(entities), forConfigurationName: "C\(dice.below(2))")
      case 10: entity.isAbstract.toggle()
      default: other.subentities = entity.subentities
      }
    }
  }

  @Test("nothing crashes, and a valid model has the same content as its descriptions")
  func play() throws {
    let sound = try (1...8).map { try soundModels(Play(UInt64($0))) }
    #expect(sound.reduce(0, +) > 100, "\(sound)")
  }

  /// Makes 300 random changes, and checks both models after each.
  ///
  /// - Returns: How many times a model was valid and had entities.
  private func soundModels(_ start: Play) throws -> Int {
    var play = start
    var sound = 0
    for _ in 0..<300 {
      play.move()
      for model in play.models {
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        _ = model.hash == copy.hash
        _ = play.entities.map(\.versionHash)
        guard let value = try? model.settled() else {
          #expect(model != NSManagedObjectModel())
          continue
        }
        sound += value.entities.isEmpty ? 0 : 1
        #expect(Set(value.entities.map(\.name)) == Set(model.entitiesByName.keys))
        for entity in model.entities {
          let name = entity.name ?? ""
          #expect(Set(value.propertyNames(of: name)) == Set(entity.propertiesByName.keys))
          #expect(value.entity(named: name)?.superentityName == entity.superentity?.name)
          #expect(entity.managedObjectModel === model)
          #expect(value.entityVersionHashes[name]?.data == entity.versionHash)
          for relationship in entity.relationshipsByName.values {
            #expect(relationship.destinationEntity?.managedObjectModel === model)
          }
        }
      }
    }
    return sound
  }

  @Test("properties outlive their entity, and entities their model")
  func outlived() {
    let relationship = NSRelationshipDescription()
    var kept: NSEntityDescription?
    do {
      let (entity, model) = (NSEntityDescription(), NSManagedObjectModel())
      entity.name = "Gone"
      entity.properties = [relationship]
      relationship.destinationEntity = entity
      let other = NSEntityDescription()
      other.name = "Kept"
      other.properties = [NSAttributeDescription()]
      model.entities = [entity, other]
      kept = other
    }
    #expect(relationship.entity == nil)
    #expect(relationship.destinationEntity == nil)
    #expect(kept?.managedObjectModel == nil)
    #expect(kept?.propertiesByName.count == 1)
    kept?.name = "Other"
    #expect(kept?.versionHash.isEmpty == true, "its attribute has no name")
  }
}
