internal import DecantModel
internal import DecantStore

/// `decant schema MODEL`: the statements that make a store.
enum SchemaCommand {
  static let command = Command(
    "schema", summary: "Prints the SQL statements with which Core Data makes a store of a model.",
    examples: [
      .init(line: "decant schema Notes.xcdatamodeld", meaning: "As iOS 17 writes them."),
      .init(line: "decant schema Notes.xcdatamodel --framework 641", meaning: "As iOS 9 does."),
    ],
    arguments: [ModelArgument.argument()],
    options: [
      .init(
        "framework", "N", kind: .number,
        help: "The version of the Core Data framework whose statements are wanted "
          + "(NSPersistenceFrameworkVersion, \(FrameworkVersion.current.number) unless told)."),
      .init(
        "reference", "STORE", kind: .file,
        help: "A genuine store of this very model version, which settles names that are not known for certain."),
    ],
    notes: [
      "One statement a line in creation order, then the rows of Z_PRIMARYKEY as comments: "
        + "-- Z_ENT|Z_NAME|Z_SUPER|0."
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let framework = try arguments.number("framework", in: 1...999_999)
    let argument = try ModelArgument(arguments[0], console)
    var evidence: SchemaEvidence?
    if let path = arguments.value("reference") { evidence = try self.evidence(in: path, for: argument) }
    do {
      let layout = try StoreLayout(
        argument.model, framework: framework.map(FrameworkVersion.init) ?? .current, evidence: evidence)
      console.print(try SchemaStatements(layout).all + SchemaStatements.primaryKeyComments(layout))
    } catch LayoutError.unsettled(let names) {
      throw CommandFailure(
        ExitCode.badData, "\(argument.text): how Core Data stores this is not known for certain:",
        details: names.map(\.description),
        advice: evidence == nil
          ? "Give a genuine store of this model version with --reference STORE; it settles the names."
          : "The reference store doesn't settle it.")
    } catch {
      throw CommandFailure(ExitCode.badData, "\(argument.text): \(error).")
    }
    return ExitCode.success
  }

  private static func evidence(
    in path: String, for argument: ModelArgument
  ) throws(CommandFailure) -> SchemaEvidence {
    let store = try OpenedStore(path)
    guard store.source.metadata.versionHashes == argument.model.entityVersionHashes else {
      throw CommandFailure(
        ExitCode.badData, "\(path) is not a store of \(argument.text): the version hashes differ.",
        advice: "Give a store that this very model version has written.")
    }
    return store.source.schema
  }
}
