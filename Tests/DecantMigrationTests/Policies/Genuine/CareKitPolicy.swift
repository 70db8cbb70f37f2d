import DecantPolicies
import Foundation

@testable import DecantMigration

/// Gives every versioned object what version 2.1 requires: a `uuid`, tags as objects, and a knowledge element.
///
/// Outcomes get the times that version 2.0 has in the schedule. Tasks with a link to HealthKit get another entity.
final class OCKStoreMigration2_0To2_1Policy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    let object: ManagedObject
    if sInstance.entity.name == "OCKCDTask", sInstance.value(forKey: "healthKitLinkage") != nil {
      object = Self.healthKitTask(sInstance, manager)
      manager.associate(sourceInstance: sInstance, withDestinationInstance: object, for: mapping)
    } else {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      object = try Self.made(of: sInstance, mapping, manager)
    }
    object.setValue(Self.uuid(of: sInstance, "object"), forKey: "uuid")
    if sInstance.entity.name == "OCKCDOutcome" { Self.fillTimes(of: object, from: sInstance) }
    try Self.tag(object, with: Self.tags(of: sInstance), manager)
    let knowledge = manager.destinationContext.insertObject(ofEntity: "OCKCDKnowledgeElement")
    knowledge.setValue(1, forKey: "time")
    knowledge.setValue(Self.uuid(of: sInstance, "knowledge"), forKey: "uuid")
    object.setValue(Set([knowledge]), forKey: "knowledge")
  }

  override func createRelationships(
    forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    guard dInstance.entity.name == "OCKCDHealthKitTask" else { return }
    let sources = manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [dInstance])
    let linkages = sources.compactMap { $0.value(forKey: "healthKitLinkage") as? ManagedObject }
    let made = manager.destinationInstances(
      forEntityMappingName: "OCKCDHealthKitLinkageToOCKCDHealthKitLinkage", sourceInstances: linkages)
    dInstance.setValue(made.first, forKey: "healthKitLinkage")
  }

  enum Failure: Error { case nothingMade }

  private static func made(
    of sInstance: ManagedObject, _ mapping: MigrationEntityMapping, _ manager: MigrationManager
  ) throws -> ManagedObject {
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    guard let object = made.first else { throw Failure.nothingMade }
    return object
  }

  private static func healthKitTask(_ sInstance: ManagedObject, _ manager: MigrationManager) -> ManagedObject {
    let task = manager.destinationContext.insertObject(ofEntity: "OCKCDHealthKitTask")
    for name in task.entity.attributesByName.keys where sInstance.entity.attributesByName[name] != nil {
      task.setValue(sInstance.value(forKey: name), forKey: name)
    }
    return task
  }

  private static func fillTimes(of outcome: ManagedObject, from sInstance: ManagedObject) {
    guard let start = sInstance.value(forKey: "date") as? Date else { return }
    let elements =
      (sInstance.value(forKeyPath: "task.scheduleElements") as? NSSet)?.allObjects as? [ManagedObject] ?? []
    let longest = elements.compactMap { $0.value(forKey: "durationInSeconds") as? Double }.max() ?? 0
    let index = sInstance.value(forKey: "taskOccurrenceIndex") as? Int ?? 0
    outcome.setValue(start, forKey: "effectiveDate")
    outcome.setValue(start, forKey: "startDate")
    outcome.setValue(start.addingTimeInterval(longest), forKey: "endDate")
    outcome.setValue(
      "\(sInstance.value(forKeyPath: "task.id") as? String ?? "")_\(index)", forKey: "id")
  }

  /// The tags: an archived array of strings.
  ///
  /// Other archives give no tags.
  private static func tags(of sInstance: ManagedObject) -> [String] {
    sInstance.value(forKey: "tags") as? [String] ?? []
  }

  /// Adds one tag object for each title, which all entities and chunks share.
  private static func tag(_ object: ManagedObject, with titles: [String], _ manager: MigrationManager) throws {
    let context = manager.destinationContext
    for title in titles {
      let known = try context.fetch(
        .init(
          entity: "OCKCDTag",
          predicate: .compare(.path(from: .selfObject, [.key("title")]), .equal, .constant(.string(title)))))
      let tag = known.first ?? context.insertObject(ofEntity: "OCKCDTag")
      tag.setValue(title, forKey: "title")
      object.mutableSetValue(forKey: "tags").add(tag)
    }
  }

  /// A UUID made from the object's URI, which is the same in every run.
  static func uuid(of object: ManagedObject, _ purpose: String) -> UUID {
    let text = purpose + object.objectID.uriRepresentation().absoluteString
    var bytes: [UInt8] = []
    for start: UInt64 in [0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15] {
      let hash = text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) }
    }
    return NSUUID(uuidBytes: bytes) as UUID
  }
}
