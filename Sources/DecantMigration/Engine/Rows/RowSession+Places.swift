internal import DecantMapping

/// What the row path is at work on, for those who tell of its end.
extension RowSession {
  /// Makes ready to tell what a stage of an entity mapping is at work on.
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

  /// Tells what is about to be done; once for each object, so that it has to be quick.
  func note(_ object: ManagedObject?) {
    guard let placeRecorder else { return }
    guard let object else {
      cutNote(to: noteHead)
      notedEntity = nil
      WorkPlace.end(&note)
      return placeRecorder(note, 0)
    }
    // Objects of one entity come one after the other, and differ in their keys alone.
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

  /// Tells which batch a program is about to get.
  func note(batch: String) {
    guard let placeRecorder else { return }
    cutNote(to: noteHead)
    notedEntity = nil
    WorkPlace.add(batch, to: &note)
    WorkPlace.end(&note)
    placeRecorder(note, 0)
  }

  /// How reports call a policy program.
  static func name(ofProgram words: [String]) -> String { "program \(words.joined(separator: " "))" }
}
