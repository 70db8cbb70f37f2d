internal import DecantMapping

/// What the row path is at work on, for those who tell of its end.
extension RowSession {
  /// Tells what is about to be done.
  func note(_ mapping: MigrationEntityMapping, _ action: RowAction, _ object: @autoclosure () -> String?) {
    guard let noting else { return }
    var place = WorkPlace(pass: manager.mappingModel.name, entityMapping: mapping.name, object: object())
    switch mapping.mapping.policy {
    case .className(let name)?:
      place.policy = name
      place.method = action.word
    case .program(let words)?: place.policy = Self.name(ofProgram: words)
    case nil: place.method = action.word
    }
    noting(place)
  }

  /// How reports call a policy program.
  static func name(ofProgram words: [String]) -> String { "program \(words.joined(separator: " "))" }
}
