/// Replaces imports of Apple's logging modules, and reports modules that Linux doesn't have.
enum ImportedModules {
  /// Modules that Linux has, or that Decant's package has.
  private static let known: Set = [
    "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
    "FoundationXML", "Dispatch", "Glibc", "CoreData", "DecantWorker", "DecantMigration", "RegexBuilder",
    "Synchronization", "Observation", "Distributed",
  ]
  private static let kinds: Set = ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"]

  /// - Returns: The products `os` and `UIKit` of Decant's package, if the file needs them.
  static func apply(to file: inout PortedCode) -> Set<String> {
    let code = file.code
    var products: Set<String> = []
    for index in code.tokens.indices where code.isWord("import", at: index) && !code.isMark(".", at: index - 1)
    {
      let start = index + (kinds.contains(code.text(at: index + 1)) ? 2 : 1)
      guard let module = code.name(at: start), !code.endsLine(after: start - 1) else { continue }
      var end = start
      while code.isMark(".", at: end + 1), code.kind(at: end + 2) == .word { end += 2 }
      switch module {
      case "os", "OSLog":
        products.insert("os")
        guard end > start && start == index + 1 || module != "os" else { continue }
        let range = code.tokens[index + 1].range.lowerBound..<code.tokens[end].range.upperBound
        file.change(
          [SourceEdit(range: range, text: "os")], at: index, "imports os in place of \(code.text(range))")
      case "UIKit": products.insert("UIKit")
      case _ where known.contains(module): break
      default:
        file.leave(
          at: index,
          "there is no module \(module) on Linux; take out the import and the code that uses it, or give the worker a "
            + "module of this name"
        )
      }
    }
    return products
  }
}
