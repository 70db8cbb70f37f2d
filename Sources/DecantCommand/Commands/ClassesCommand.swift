internal import DecantAuthoring
internal import DecantConsole
internal import DecantModel
internal import Foundation

/// `decant classes MODEL…`: writes the managed object classes of models as Swift code for policies.
enum ClassesCommand {
  static let command = Command(
    "classes", summary: "Writes the managed object classes of a model as Swift code, for policies.",
    examples: [
      .init(
        line: "decant classes \"Notes.momd#Notes\" \"Notes.momd#Notes 2\" --output Worker",
        meaning: "One file for each class, with the properties of both versions."),
      .init(line: "decant classes Notes.xcdatamodeld", meaning: "All classes on standard output."),
    ],
    arguments: [ModelArgument.argument()], repeatsLast: true,
    options: [
      .init(
        "output", "DIR", kind: .folder,
        help: "The folder for the files, one for each class; it is created if it doesn't exist."),
      .init("force", help: "Replaces existing files."),
      .init("objects", help: "Numbers and truth values are NSNumber?, as without “Use Scalar Type”."),
      .quiet,
    ],
    notes: [
      "Xcode's own classes have @NSManaged properties, which only Apple's compiler supports. These classes have computed "
        + "properties of the same names and types. The class names are those of the model, without the module."
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    var versions: [(name: String, model: ManagedObjectModel)] = []
    var stores: [String] = []
    for text in arguments.positional {
      let argument = try ModelArgument(text, console)
      versions.append((argument.version.name, argument.model))
      if let store = argument.store { stores.append(store.source.path) }
    }
    for store in stores {
      guard let folder = arguments.value("output"),
        let clash = StorePlaces(folder).clash(withSource: StorePlaces(store))
      else { continue }
      throw CommandFailure(.usage, clash, advice: "A store is never written: name another folder.")
    }
    if let clash = arguments.value("output").flatMap({ StorePlaces($0).clashWithNeighbours() }) {
      throw CommandFailure(.usage, clash, advice: "Name another folder.")
    }
    let plan = ClassPlan(versions)
    guard !plan.classes.isEmpty else {
      throw CommandFailure(
        .badData, "No entity has its own class that can be written.", details: plan.remarks)
    }
    if !arguments.has("quiet") {
      for remark in plan.remarks { console.say("decant: \(PlainText.of(remark))") }
    }
    let text = ClassText(hasNumberObjects: arguments.has("objects"))
    guard let folder = arguments.value("output") else {
      console.print(plan.classes.map { text.file($0) }.joined(separator: "\n"))
      return ExitCode.success
    }
    try write(
      plan.classes.map { ("\($0.name).swift", text.file($0)) }, to: folder, overwrites: arguments.has("force"))
    if !arguments.has("quiet") {
      let names = Quantity.list(plan.classes.map { "\($0.name).swift" })
      console.print([
        TextWrap.wrap(
          PlainText.of("Written to \(folder): \(counted(plan.classes.count, "file")): \(names)."),
          width: 80,
          indent: 2)
      ])
    }
    return ExitCode.success
  }

  /// Writes all files; writes none if one exists already and must not be overwritten.
  private static func write(
    _ files: [(name: String, text: String)], to folder: String, overwrites: Bool
  ) throws(CommandFailure) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure(.cantCreate, "\(folder) can't be created: \(error.localizedDescription)")
    }
    let url = URL(fileURLWithPath: folder, isDirectory: true)
    let there = files.map { url.appendingPathComponent($0.name).path }.filter { access($0, F_OK) == 0 }
    if !overwrites, let first = there.first {
      throw CommandFailure(
        .cantCreate,
        "\(first) exists already" + (there.count > 1 ? ", and \(there.count - 1) more." : "."),
        advice: "--force replaces existing files.")
    }
    for file in files {
      let path = url.appendingPathComponent(file.name).path
      do {
        try Data(file.text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
      } catch {
        throw CommandFailure(.cantCreate, "\(path) can't be written: \(error.localizedDescription)")
      }
    }
  }
}
