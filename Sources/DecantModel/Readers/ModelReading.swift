/// A model that was read, with warnings about skipped or odd parts.
public struct ModelReading: Sendable {
  public let model: ManagedObjectModel
  /// One sentence for each skipped or odd part.
  ///
  /// Of four or more sentences that differ only in names, only the first is kept, with the number of the others.
  public let warnings: [String]

  public init(model: ManagedObjectModel, warnings: [String] = []) {
    self.model = model
    self.warnings = Self.folded(warnings)
  }

  private static let many = 4

  private static func folded(_ sentences: [String]) -> [String] {
    let kinds = sentences.map(kind)
    let counts = Dictionary(kinds.map { ($0, 1) }, uniquingKeysWith: +)
    var reported: Set<String> = []
    return zip(sentences, kinds).compactMap { sentence, kind in
      guard let count = counts[kind], count >= many else { return sentence }
      guard reported.insert(kind).inserted else { return nil }
      return "\(sentence) (and \(count - 1) more like this)"
    }
  }

  private static func kind(_ sentence: String) -> String {
    var kind = ""
    var isName = false
    for character in sentence {
      if character == "“" { isName = true }
      if !isName { kind.append(character) }
      if character == "”" { isName = false }
    }
    return kind
  }
}
