/// Finds code that won't compile or work on Linux, and says what to do.
enum LeftOver {
  private static let words: [String: String] = [
    "NSFetchedResultsController": "is for user interfaces; take it out and fetch with NSFetchRequest",
    "objc_getClass": "looks a class up in the Objective-C runtime; name the class itself",
    "objc_getAssociatedObject": "needs the Objective-C runtime; use a stored property",
    "objc_setAssociatedObject": "needs the Objective-C runtime; use a stored property",
    "class_getName": "needs the Objective-C runtime; use String(describing:)",
    "NSClassFromString": "needs the name with the worker's module; name the class itself",
    "NSStringFromSelector": "needs the Objective-C runtime; write the name as a text",
    "NSSelectorFromString": "needs the Objective-C runtime; call the method itself",
    "Selector": "doesn't exist on Linux; call the method itself, or write its name as a text for FUNCTION",
    "NSPersistentCloudKitContainer": "doesn't exist here; use NSPersistentContainer",
    "NSCoreDataCoreSpotlightDelegate": "belongs to Spotlight; take it out",
    "FetchRequest": "belongs to SwiftUI; fetch with NSFetchRequest",
    "SectionedFetchRequest": "belongs to SwiftUI; fetch with NSFetchRequest",
    "IBOutlet": "is for user interfaces; take it out", "IBAction": "is for user interfaces; take it out",
    "UIApplicationMain": "a worker has its own main function; leave this type out",
    "NSApplicationMain": "a worker has its own main function; leave this type out",
    "main": "a worker has its own main function; leave this type out",
  ]
  /// Hooks of managed objects that the module `CoreData` never calls.
  private static let hooks: Set = [
    "awakeFromInsert", "willSave", "didSave", "prepareForDeletion", "willTurnIntoFault", "didTurnIntoFault",
    "validateForInsert", "validateForUpdate", "validateForDelete",
  ]
  /// Members of migration managers that a subclass can't override with the module `CoreData`.
  private static let ofManager: Set = [
    "migrateStore", "associate", "cancelMigrationWithError", "destinationInstances", "sourceInstances", "reset",
    "destinationContext", "sourceContext", "mappingModel", "sourceModel", "destinationModel",
    "migrationProgress",
  ]
  /// The keys of `words` that count only after an at sign; the other keys count only without it.
  private static let attributes: Set = [
    "FetchRequest", "SectionedFetchRequest", "IBOutlet", "IBAction", "UIApplicationMain", "NSApplicationMain",
    "main",
  ]

  static func apply(to file: inout PortedCode, _ types: AppTypes) {
    let code = file.code
    let declarations = Declarations(code)
    for index in code.tokens.indices where code.kind(at: index) == .word {
      let word = code.text(at: index)
      if code.isMark("#", at: index - 1) {
        if word == "selector" {
          file.leave(
            at: index,
            "#selector: selectors don't exist on Linux; call the method itself, or write its name as a text for FUNCTION"
          )
        }
        if word == "colorLiteral" || word == "imageLiteral" {
          file.leave(at: index, "#\(word): is for user interfaces; take it out")
        }
        continue
      }
      if let advice = words[word], attributes.contains(word) == code.isMark("@", at: index - 1) {
        file.leave(at: index, "\(code.isMark("@", at: index - 1) ? "@" : "")\(word): \(advice)")
      } else if isOfUIKit(word), types.owners[word] == nil, !code.isWord("import", at: index - 1) {
        file.leave(
          at: index, "\(word): the product UIKit has no types; take it out, or declare what the policy needs")
      } else if word == "observeValue", code.isWord("func", at: index - 1) {
        file.leave(
          at: index,
          "observeValue: doesn't exist on Linux; use observe(_:options:) with a closure, or progressHandler")
      } else if hooks.contains(word), isOverride(index, code) {
        file.leave(
          at: index, "\(word): this hook of managed objects never runs on Linux; do its work in the policy"
        )
      } else if ofManager.contains(word), isOverride(index, code),
        types.isKind(declarations.owner(of: index)?.name ?? "", of: MigrationNames.manager)
      {
        file.leave(
          at: index,
          "\(word): a subclass of the manager can't override it here; write a method of your own that calls it")
      } else if word == "static", let name = storedVariable(index, code) {
        file.leave(
          at: index,
          "static var \(name): language mode 6 refuses it; write “nonisolated(unsafe)” before it, or give the worker "
            + "language mode 5")
      } else if word == "optional", ["func", "var"].contains(code.text(at: index + 1)) {
        file.leave(
          at: index,
          "optional: a requirement of a protocol can't be optional on Linux; give it a body in an extension")
      }
    }
  }

  /// The name of a stored `static` property that language mode 6 refuses.
  private static func storedVariable(_ index: Int, _ code: SwiftCode) -> String? {
    var place = index + 1
    let between = Modifiers.words.union(["(", ")", "set", "unsafe"])
    while between.contains(code.text(at: place)), place < index + 10 { place += 1 }
    guard code.isWord("var", at: place), let name = code.name(at: place + 1) else { return nil }
    let first = Modifiers(before: index, in: code).all.first?.token ?? index
    let words = (first - 4..<place).map { code.text(at: $0) }
    guard !words.contains("unsafe"), !words.suffix(place - first + 2).contains("@") else { return nil }
    // In a computed property, a brace comes before any `=`.
    for next in place + 2..<place + 100 {
      if code.isMark("=", at: next) { return name }
      if code.isMark("{", at: next) { return nil }
      if code.endsLine(after: next) { return code.isMark("{", at: next + 1) ? nil : name }
    }
    return nil
  }

  /// Whether a name is that of a method or property with `override`.
  private static func isOverride(_ name: Int, _ code: SwiftCode) -> Bool {
    (code.isWord("func", at: name - 1) || code.isWord("var", at: name - 1))
      && Modifiers(before: name - 1, in: code).contains("override")
  }

  private static func isOfUIKit(_ word: String) -> Bool {
    let letters = word.dropFirst(2)
    guard word.hasPrefix("UI"), word != "UInt", let first = letters.first, first.isUppercase else {
      return false
    }
    return letters.contains { $0.isLowercase }
  }
}
