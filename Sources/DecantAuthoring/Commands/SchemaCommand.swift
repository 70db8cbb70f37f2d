package import DecantConsole
internal import DecantModel
internal import DecantStore

/// `decant schema MODEL`: shows the SQL statements that create a store.
package enum SchemaCommand {
  package static let command = Command(
    "schema", summary: "Prints the SQL statements with which Core Data makes a store of a model.",
    examples: [
      .init(line: "decant schema Notes.xcdatamodeld", meaning: "The statements as iOS 17 writes them."),
      .init(
        line: "decant schema Notes.xcdatamodel --framework 641", meaning: "The statements as iOS 9 writes them."
      ),
    ],
    arguments: [ModelArgument.argument()],
    options: [
      .framework,
      .init(
        "reference", "STORE", kind: .file,
        help: "A genuine store of exactly this model version; it settles names that aren't known for certain."),
      .json,
    ],
    notes: [
      "One statement on each line in creation order, each with “;” at its end, then the rows of Z_PRIMARYKEY as comments: "
        + "-- Z_ENT|Z_NAME|Z_SUPER|0."
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let framework = try arguments.framework()
    let argument = try ModelArgument(arguments[0], console)
    let evidence = try argument.evidence(arguments.value("reference"))
    do {
      let layout = try StoreLayout(argument.model, framework: framework, evidence: evidence)
      let statements = try SchemaStatements(layout)
      console.print(
        arguments.has("json")
          ? json(statements, layout).lines
          : statements.all.map { "\($0);" } + SchemaStatements.primaryKeyComments(layout))
      for index in statements.leftOut {
        console.say("Left out: \(index), because Core Data's statement for it isn't known.")
      }
    } catch {
      throw CommandFailure(error, model: argument.text)
    }
    return ExitCode.success
  }

  private static func json(_ statements: SchemaStatements, _ layout: StoreLayout) -> JSON {
    .object([
      "statements": .strings(statements.all),
      "entities": .array(
        PrimaryKeyRow.rows(of: layout).map {
          .object([
            "number": .integer($0.number), "name": .string($0.name), "super": .integer($0.superNumber),
          ])
        }),
      "leftOut": .strings(statements.leftOut.map { "\($0)" }),
    ])
  }
}
