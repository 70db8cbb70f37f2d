internal import DecantMapping
internal import DecantPasses
internal import DecantPolicies
internal import DecantReport

/// Records the current row-by-row work, so that after a crash a message can name the current object.
final class PlaceNote {
  /// `nil` if no record is wanted.
  private let recorder: WorkPlace.Recorder?
  // The recorder doesn't call this object.
  @exclusivity(unchecked) private var bytes: [UInt8] = []
  /// The length of the part that is the same for all objects.
  private var head = 0
  /// The entity of the last recorded object, whose objects share the beginning of the record.
  private var entity: ObjectIdentifier?
  private var entityHead = 0

  init(_ recorder: WorkPlace.Recorder?) { self.recorder = recorder }

  /// Prepares the record for a stage of an entity mapping.
  func begin(_ mapping: MigrationEntityMapping, _ action: RowAction, pass: String) {
    guard recorder != nil else { return }
    var place = WorkPlace(pass: pass, entityMapping: mapping.name)
    switch mapping.mapping.policy {
    case .className(let name)?:
      place.policy = name
      place.method = action.word
    case .program(let words)?: place.policy = RowSession.name(ofProgram: words)
    case nil: place.method = action.word
    }
    bytes = place.head
    head = bytes.count
    entity = nil
  }

  /// Records the next object; it is called for each object, so it must be fast.
  func note(_ object: ManagedObject?) {
    guard let recorder else { return }
    guard let object else {
      cut()
      WorkPlace.end(&bytes)
      return recorder(bytes, 0)
    }
    // Consecutive objects are mostly of one entity, and then only their keys differ.
    let isOther = ObjectIdentifier(object.entity) != entity
    if isOther {
      cut()
      WorkPlace.add(object.entity.entity.name + "/p", to: &bytes)
      (entity, entityHead) = (ObjectIdentifier(object.entity), bytes.count)
      bytes.append(contentsOf: repeatElement(0, count: WorkPlace.keyLimit + 1))
    }
    WorkPlace.put(object.contents.key, into: &bytes, at: entityHead)
    recorder(bytes, isOther ? 0 : entityHead)
  }

  /// Records the batch that a program gets next.
  func note(batch: String) {
    guard let recorder else { return }
    cut()
    WorkPlace.add(batch, to: &bytes)
    WorkPlace.end(&bytes)
    recorder(bytes, 0)
  }

  /// Records that no work is being done.
  func end() { recorder?(WorkPlace.nowhere, 0) }

  private func cut() {
    if bytes.count > head { bytes.removeLast(bytes.count - head) }
    entity = nil
  }
}
