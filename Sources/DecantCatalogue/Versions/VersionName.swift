internal import DecantMapping
internal import DecantModel

/// A version's name split into a stem and numbers: `Model 10`, `v1.0.0`, `Modelv4`.
///
/// `isBefore` compares the numbers of similar names. A name is also before the same name with a number added.
struct VersionName: Equatable {
  /// Joins the names of merged versions.
  static let mergeMark = " + "

  /// The bundle in `BUNDLE#VERSION`; `nil` for a plain name.
  let bundle: String?
  /// The name without the bundle.
  let text: String
  /// The text before the numbers, in lower case and without a `v` or separators at its end.
  ///
  /// If there are no numbers, it is the whole text in lower case.
  let stem: String
  /// The numbers at the end; empty if the name has none.
  let numbers: [Int]

  init(_ name: String) {
    let mark = name.firstIndex(of: "#")
    bundle = mark.map { String(name[..<$0]) }
    text = mark.map { String(name[name.index(after: $0)...]) } ?? name
    let characters = Array(text.lowercased())
    var start = characters.count
    while start > 0, characters[start - 1].isASCII,
      characters[start - 1].isNumber || ".-_".contains(characters[start - 1])
    {
      start -= 1
    }
    // A separator before the first digit doesn't belong to the numbers.
    while start < characters.count, !characters[start].isNumber { start += 1 }
    let digits = characters[start...].split { !$0.isNumber }.map { Int(String($0)) ?? .max }
    var end = start
    func skipSeparators() { while end > 0, " .-_".contains(characters[end - 1]) { end -= 1 } }
    if !digits.isEmpty {
      skipSeparators()
      if end > 0, characters[end - 1] == "v" { end -= 1 }
      skipSeparators()
    }
    stem = String(characters[..<end])
    numbers = digits
  }

  /// Whether the names show that this version comes before `later`.
  ///
  /// Versions of different bundles have an order only if their texts are equal: the order of the bundles.
  func isBefore(_ later: VersionName) -> Bool {
    if bundle != later.bundle {
      guard let own = bundle, let other = later.bundle, text == later.text else { return false }
      return VersionName(own).isBefore(VersionName(other))
    }
    if stem == later.stem { return numbers.lexicographicallyPrecedes(later.numbers) }
    // “SampleModel3” and “SampleModel3_v2”, “rev” and “rev2”.
    guard later.text.hasPrefix(text), !text.isEmpty else { return false }
    let rest = VersionName("x" + later.text.dropFirst(text.count))
    return rest.stem == "x" && !rest.numbers.isEmpty
  }

  /// The existing name that a misspelt version name probably means.
  ///
  /// A name with another number is not a misspelling.
  static func near(_ name: String, among names: [String]) -> String? {
    let numbers = VersionName(name).numbers
    return NearName.of(name, among: names.filter { VersionName($0).numbers == numbers })
  }

  /// Whether the left name comes first in the order for display: runs of digits are compared by value.
  static func displayOrder(_ left: String, _ right: String) -> Bool {
    let (former, later) = (pieces(left.lowercased()), pieces(right.lowercased()))
    for (one, other) in zip(former, later) where one != other {
      if let number = Int(one), let otherNumber = Int(other), number != otherNumber {
        return number < otherNumber
      }
      return NameOrder.codePoints(one, other)
    }
    return former.count == later.count ? NameOrder.codePoints(left, right) : former.count < later.count
  }

  private static func pieces(_ name: String) -> [String] {
    var pieces: [String] = []
    var isNumber = false
    for character in name {
      let now = character.isASCII && character.isNumber
      if now == isNumber, !pieces.isEmpty {
        pieces[pieces.count - 1].append(character)
      } else {
        pieces.append(String(character))
      }
      isNumber = now
    }
    return pieces
  }
}
