internal import FileNames
internal import Foundation

/// The names in a new worker's package, made from the name of its folder.
package struct WorkerName: Hashable {
  /// The name of the package and of its executable: `notas-worker`.
  package let package: String
  /// The name of the type with the main function: `NotasWorker`.
  private(set) var type: String

  /// The name of the executable's module, as the compiler writes it.
  var module: String { package.replacing("-", with: "_") }
  /// The name of the test target and of its suite.
  var tests: String { "\(type)Tests" }

  /// - Parameter folder: Any path; the names are made from its last component.
  package init(folder: String) {
    let name = PathText.name(of: folder).text.folding(options: .diacriticInsensitive, locale: nil)
    var words = Self.words(name)
    if words.isEmpty || words == ["worker"] { words = ["my"] }
    if words[0].first?.isNumber == true { words.insert("app", at: 0) }
    if words.last != "worker" { words.append("worker") }
    package = words.joined(separator: "-")
    type = words.map(SwiftName.capitalised).joined()
  }

  /// Changes the name of the type if one of the classes has the same name.
  mutating func avoid(_ classes: Set<String>) {
    while classes.contains(type) { type += "Program" }
  }

  /// The words of a name in lower case: `NotasApp 2` is `notas`, `app` and `2`.
  private static func words(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    for character in name.prefix(80) {
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      if !isPlain || character.isUppercase && word.last?.isLowercase == true {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if isPlain { word.append(character) }
    }
    return word.isEmpty ? words : words + [word.lowercased()]
  }
}
