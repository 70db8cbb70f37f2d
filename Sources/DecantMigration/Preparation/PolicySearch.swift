internal import DecantMapping
internal import DecantPolicies
internal import Foundation

/// Searches for the code that entity mappings name: policy classes, programs, and function classes.
struct PolicySearch {
  struct Missing: Hashable {
    let message: String
    /// Whether a class is missing, not a program.
    ///
    /// A worker could register the class.
    let isClass: Bool
    /// How the user can get the class or program.
    let advice: String
  }

  /// How to name a worker; a drop has no options.
  private static func naming(isOfDrop: Bool) -> String {
    " and name it \(isOfDrop ? "" : "with --worker, or ")in family.json5 (worker: \"/path/to/worker\"). “decant worker "
      + "new DIR --models …” writes one."
  }

  /// The names of the worker's policy classes.
  private let policies: [String]
  private let functions: [String]
  /// The family's folder, in which programs run.
  private let folder: String
  private let isOfDrop: Bool

  init(classes: RegisteredClasses, folder: String, isOfDrop: Bool) {
    (self.folder, self.isOfDrop) = (folder, isOfDrop)
    switch classes {
    case .noWorker, .unusable: (policies, functions) = ([], [])
    case .names(let policies, let functions, _): (self.policies, self.functions) = (policies, functions)
    }
  }

  /// The missing classes and programs, each once, in the order of the entity mappings.
  func missing(for models: [MappingModel]) -> [Missing] {
    var missing: [Missing] = []
    for need in Self.needs(of: models) {
      let (place, isOne) = (Self.place(need.mappings), need.mappings.count == 1)
      switch need.code {
      case .policy(.className(let name)) where ClassName.match(name, among: policies) == nil:
        let found = MissingClass(name: name, names: policies, kind: "policy", isOfDrop: isOfDrop)
        missing.append(
          Missing(
            message: "\(found.words). \(place) \(isOne ? "names" : "name") it.",
            isClass: true, advice: found.advice))
      case .policy(.program(let words)):
        guard let problem = PolicyCommand(words, folder: folder).problem else { continue }
        missing.append(
          Missing(
            message: "\(place): \(problem)", isClass: false,
            advice:
              "Correct the program's words in the mapping model, or its file; values can also be written as expressions."
          ))
      case .function(let call) where ClassName.match(call.className, among: functions) == nil:
        let found = MissingClass(name: call.className, names: functions, kind: "function", isOfDrop: isOfDrop)
        missing.append(
          Missing(
            message: "\(found.words). \(place) \(isOne ? "calls" : "call") its function “\(call.selector)”.",
            isClass: true, advice: found.advice))
      case .policy, .function: continue
      }
    }
    return missing
  }

  /// Sentences about words of programs that look like files but don't lead to a file.
  func doubts(about models: [MappingModel]) -> [String] {
    Self.needs(of: models).flatMap { need -> [String] in
      guard case .policy(.program(let words)) = need.code else { return [] }
      return PolicyCommand(words, folder: folder).doubts.map { "\(Self.place(need.mappings)): \($0)" }
    }
  }

  func advice(_ missing: [Missing]) -> String {
    let classes = missing.filter(\.isClass)
    var sentences: [String] = []
    if missing.count == 1 {
      return missing[0].advice
    } else if !classes.isEmpty {
      sentences.append(
        "Build a worker that registers these classes, those with functions as MigrationFunctions,"
          + Self.naming(isOfDrop: isOfDrop))
    }
    if classes.count < missing.count { sentences.append(Self.inPlaceOfProgram) }
    return sentences.joined(separator: " ")
  }

  /// How to fix everything that is missing, for a program that runs the migration itself.
  func adviceToProgram(_ missing: [Missing]) -> String {
    guard missing.contains(where: \.isClass) else { return advice(missing) }
    return
      "Correct the names in the mapping model; or compile the classes into this program, or add them to the manager's "
      + "“registry” under these names. A class within a function or a type must be added."
      + (missing.allSatisfy(\.isClass) ? "" : " " + Self.inPlaceOfProgram)
  }

  private static let inPlaceOfProgram = "In place of a program, values can be written as expressions."

  // MARK: Needs

  private enum Code: Hashable {
    case policy(EntityMapping.Policy)
    case function(ClassCall)
  }

  private struct Need {
    let code: Code
    /// The names of the entity mappings with their files and lines.
    var mappings: [String]
  }

  /// The maximum number of look-ups of lines; each one reads a file.
  private static let lines = 50

  private static func needs(of models: [MappingModel]) -> [Need] {
    var needs: [Need] = []
    var lookUps = 0
    for model in models {
      for mapping in model.entityMappings {
        let codes = mapping.classCalls.map(Code.function) + (mapping.calledPolicy.map { [.policy($0)] } ?? [])
        for code in codes {
          let key = if case .policy = code { "policy" } else { "" }
          lookUps += 1
          let line = lookUps <= lines ? model.line(of: key, in: mapping.name) : nil
          let place =
            "“\(mapping.name)” of \(model.path ?? model.name)" + (line.map { ", line \($0)" } ?? "")
          if let known = needs.firstIndex(where: { $0.code == code }) {
            needs[known].mappings.append(place)
          } else {
            needs.append(Need(code: code, mappings: [place]))
          }
        }
      }
    }
    return needs
  }

  private static func place(_ mappings: [String]) -> String {
    let rest = mappings.count > 3 ? " and \(mappings.count - 3) more" : ""
    return (mappings.count == 1 ? "Entity mapping " : "Entity mappings ")
      + mappings.prefix(3).joined(separator: ", ") + rest
  }
}
