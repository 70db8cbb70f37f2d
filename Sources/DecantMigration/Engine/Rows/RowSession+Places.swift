internal import DecantMapping

/// What the row path is at work on, for those who tell of its end.
extension RowSession {
  /// Makes ready to tell what a stage of an entity mapping is at work on.
  func begin(_ mapping: MigrationEntityMapping, _ action: RowAction) {
    guard noting != nil else { return }
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
  }

  /// Tells what is about to be done; once for each object, so that it has to be quick.
  func note(_ object: ManagedObject?) {
    guard let noting else { return }
    note.removeLast(note.count - noteHead)
    if let object { WorkPlace.add(object.entity.entity.name, key: object.contents.key, to: &note) }
    WorkPlace.end(&note)
    noting(note)
  }

  /// Tells which batch a program is about to get.
  func note(batch: String) {
    guard let noting else { return }
    note.removeLast(note.count - noteHead)
    WorkPlace.add(batch, to: &note)
    WorkPlace.end(&note)
    noting(note)
  }

  /// How reports call a policy program.
  static func name(ofProgram words: [String]) -> String { "program \(words.joined(separator: " "))" }
}
