internal import DecantPasses
internal import DecantReport
internal import DecantMapping
internal import DecantPolicies

/// Records the row path's current object, so that it can be named after a crash.
extension RowSession {
  /// Prepares the record for a stage of an entity mapping.
  func begin(_ mapping: MigrationEntityMapping, _ action: RowAction) {
    guard placeRecorder != nil else { return }
    var place = WorkPlace(pass: manager.mappingModel.name, entityMapping: mapping.name)
    switch mapping.mapping.policy {
    case .className(let name)?:
      place.policy = name
      place.method = action.word
    case .program(let words)?: place.policy = Self.name(ofProgram: words)
    case nil: place.method = action.word
    }
    note = place.head
    noteHead = note.count
    notedEntity = nil
  }

  /// Records the next object; it is called for each object, so it must be fast.
  func note(_ object: ManagedObject?) {
    guard let placeRecorder else { return }
    guard let object else {
      cutNote(to: noteHead)
      notedEntity = nil
      WorkPlace.end(&note)
      return placeRecorder(note, 0)
    }
    // Consecutive objects are mostly of one entity, and then only their keys differ.
    let isOther = ObjectIdentifier(object.entity) != notedEntity
    if isOther {
      cutNote(to: noteHead)
      WorkPlace.add(object.entity.entity.name + "/p", to: &note)
      (notedEntity, notedHead) = (ObjectIdentifier(object.entity), note.count)
      note.append(contentsOf: repeatElement(0, count: WorkPlace.keyLimit + 1))
    }
    WorkPlace.put(object.contents.key, into: &note, at: notedHead)
    placeRecorder(note, isOther ? 0 : notedHead)
  }

  private func cutNote(to count: Int) {
    if note.count > count { note.removeLast(note.count - count) }
  }

  /// Records the batch that a program gets next.
  func note(batch: String) {
    guard let placeRecorder else { return }
    cutNote(to: noteHead)
    notedEntity = nil
    WorkPlace.add(batch, to: &note)
    WorkPlace.end(&note)
    placeRecorder(note, 0)
  }

  /// The name of a policy program in reports.
  static func name(ofProgram words: [String]) -> String { "program \(words.joined(separator: " "))" }
}
