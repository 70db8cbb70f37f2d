internal import DecantMigration
internal import DecantReport
internal import FileNames

/// The words of the command line from which `decant explain` makes the next commands.
struct ExplainQuestion {
  let store: String
  let models: String
  let target: String?
  let family: String?

  init(_ arguments: Arguments) {
    store = arguments[0]
    models = arguments.value("models") ?? ""
    target = arguments.value("to")
    family = arguments.value("family")
  }

  /// The words that name catalogue, target and family.
  private var choice: [String] {
    ["--models", models] + (target.map { ["--to", $0] } ?? []) + (family.map { ["--family", $0] } ?? [])
  }

  func command(_ name: String, _ more: [String] = []) -> String {
    ShellQuoting.line(["decant", name, store] + choice + more)
  }

  /// `Notes-new.sqlite` beside `Notes.sqlite`.
  private var output: String {
    let ending =
      PathText.name(of: store).text.split(separator: ".").count > 1 ? store.split(separator: ".").last : nil
    guard let ending, !ending.contains("/") else { return "\(store)-new.sqlite" }
    return "\(store.dropLast(ending.count + 1))-new.sqlite"
  }

  func next(after plan: MigrationPlan) -> [StoreExplanation.NextStep] {
    guard !plan.steps.isEmpty else {
      return [.init(sentence: "Nothing: the store has the target version already.")]
    }
    var next: [StoreExplanation.NextStep] = []
    if !plan.missingCode.isEmpty {
      next.append(
        .init(
          sentence:
            "Name the worker that has the policies, in “worker” of family.json5 or with --worker, and look again:",
          line: command("plan")))
    }
    if plan.losses.contains(where: { $0.values > 0 && !$0.accepted && $0.probableRename != nil }) {
      next.append(.init(sentence: "If a loss is a rename, state it in “renames” of family.json5."))
    }
    next.append(.init(sentence: "Migrate:", line: command("migrate", ["--output", output])))
    next.append(
      .init(
        sentence: "Compare the result with the store:",
        line: ShellQuoting.line(["decant", "verify", store, output] + choice)))
    return next
  }
}
