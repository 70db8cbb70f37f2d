internal import DecantCatalogue
internal import DecantConsole
internal import DecantMigration
internal import DecantReport
internal import DecantWorker
internal import Foundation

/// `decant explain STORE --models DIR`: says briefly what a migration would do, and what to do next.
enum ExplainCommand {
  static let command = Command(
    "explain", summary: "Explains in one screen a store's version, the way of each step, and what to do next.",
    examples: [
      .init(
        line: "decant explain Notes.sqlite --models Models",
        meaning: "Which version it has, what is inferred and what not, what is lost, which command is next.")
    ],
    arguments: [.init(name: "STORE", kind: .file, help: "The store file, with its -wal beside it.")],
    options: [.models, .target, .family, PlanCommand.worker, .json],
    notes: [
      "The command reads what “decant plan” reads, and writes nothing. If the store can't be migrated, the command "
        + "says what the refusal means and what to do next. The exit code is that of “decant plan”."
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let question = ExplainQuestion(arguments)
    let explanation: StoreExplanation
    let code: Int32
    let ask: PlannedCode.Question = { WorkerQuestion.classes(given: question.worker, family: $0) }
    switch try PlanCommand.attempt(arguments, code: .asked(ask)) {
    case .success(let plan):
      explanation = StoreExplanation(plan, family: family(plan.family, question), question)
      code = plan.missingCode.isEmpty ? ExitCode.success : ExitCode.configuration
    case .failure(let failure):
      explanation = StoreExplanation(failure, recognition: recognition(question), question)
      code = failure.exitCode
    }
    console.print(arguments.has("json") ? explanation.json.lines : explanation.lines)
    return code
  }

  private static func family(_ name: String, _ question: ExplainQuestion) -> Family? {
    guard let catalogue = try? Catalogue.read(at: URL(fileURLWithPath: question.models)) else { return nil }
    return catalogue.families.first { $0.name == name }
  }

  private static func recognition(_ question: ExplainQuestion) -> StoreVersion? {
    guard let store = try? OpenedStore(question.store, checksPages: false) else { return nil }
    return try? StoreVersion(store.source, catalogue: question.models, family: question.family)
  }
}
