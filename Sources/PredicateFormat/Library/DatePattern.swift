/// A Unicode date pattern (TR 35) as a list of fields, by which `DateReader` reads a text.
struct DatePattern {
  enum Field: Equatable {
    case literal(Character)
    /// A letter and its number of repetitions.
    case letter(Character, Int)
  }

  static let letters = "yuMLdHkhKmsSaEZXxzO"

  private(set) var fields: [Field] = []

  init?(_ pattern: String) {
    var rest = Array(pattern)[...]
    var isQuoted = false
    while let character = rest.popFirst() {
      if character == "'" {
        if rest.first == "'" {
          rest.removeFirst()
          fields.append(.literal("'"))
        } else {
          isQuoted.toggle()
        }
      } else if !isQuoted, character.isASCII, character.isLetter {
        guard Self.letters.contains(character) else { return nil }
        var count = 1
        while rest.first == character {
          rest.removeFirst()
          count += 1
        }
        fields.append(.letter(character, count))
      } else {
        fields.append(.literal(character))
      }
    }
  }

  /// Whether the field is written in digits, and another such field follows directly.
  func isAbutting(_ place: Int) -> Bool {
    func isDigits(_ place: Int) -> Bool {
      guard fields.indices.contains(place), case .letter(let letter, let count) = fields[place] else {
        return false
      }
      return "ML".contains(letter) ? count < 3 : "yudHkhKmsS".contains(letter)
    }
    return isDigits(place) && isDigits(place + 1)
  }
}
