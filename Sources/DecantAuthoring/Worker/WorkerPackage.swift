internal import DecantConsole
internal import DecantModel
internal import FileNames
internal import Foundation

/// A package that was written.
struct WorkerPackage {
  let name: WorkerName
  let models: WorkerModels
  /// The files besides the models, in name order.
  let files: [String]
  /// Whether the package is the sample, whose policy and tests are complete.
  let isSample: Bool

  static func write(
    to folder: WorkerFolder, models path: String?, mapping: String?, place: DecantPlace, languageMode: Int
  ) throws(CommandFailure) -> WorkerPackage {
    let copy = folder.stage.appendingPathComponent("models")
    var copied: [WorkerModels.Copied] = []
    if let path {
      guard mkdir(copy.path, 0o755) == 0 else { throw CommandFailure(errno: errno, copy.path, "created") }
      copied = try WorkerModels.copy(path, mapping: mapping, to: copy)
    } else {
      for file in SampleWorker.catalogue { try folder.write(file.text, to: "models/\(file.path)") }
    }
    let models = try WorkerModels(at: copy, named: path ?? "models")
    var name = WorkerName(folder: URL(fileURLWithPath: folder.path).standardizedFileURL.path)
    name.avoid(models.classNames.union(["DecantWorker"]))
    let sources = "Sources/\(name.package)"
    var texts = [
      ("Package.swift", PackageText.text(name, place, languageMode: languageMode)),
      ("README.md", WorkerReadme.text(name, models, place, languageMode: languageMode, isSample: path == nil)),
      (".gitignore", ".build/\n"),
      ("\(sources)/\(name.type).swift", WorkerProgramText.text(name, models)),
      (
        "Tests/\(name.tests)/\(name.tests).swift",
        WorkerTestText.tests(
          name, models, copied.map { ($0.original(from: folder.path), $0.copy) },
          sample: path == nil ? SampleWorker.test : nil)
      ),
      ("Tests/\(name.tests)/Rehearsal.swift", RehearsalText.text(name)),
    ]
    let classes = ClassText(hasNumberObjects: false)
    texts += models.classes.classes.map { ("\(sources)/Objects/\($0.name).swift", classes.file($0)) }
    texts += models.code.policies.map { policy in
      (
        "\(sources)/Policies/\(policy.name).swift",
        path == nil ? SampleWorker.policy : PolicyText.policy(policy)
      )
    }
    texts += models.code.functions.map {
      ("\(sources)/Policies/\($0.name).swift", PolicyText.functions($0.name, $0.selectors))
    }
    for (name, text) in texts { try folder.write(text, to: name) }
    return WorkerPackage(name: name, models: models, files: texts.map(\.0).sorted(), isSample: path == nil)
  }

  var remarks: [String] { models.code.remarks + models.classes.remarks }

  func lines(at path: String) -> [String] {
    let old = counted(models.oldVersions.count, "old version")
    let policies = models.code.policies.map(\.name)
    let summary =
      "Written: \(PrintedName.of(path)), the worker \(name.package)"
      + (policies.isEmpty ? "" : " with \(Quantity.list(policies))") + ", and tests for \(old)."
    let edits = models.code.policies.map { "Sources/\(name.package)/Policies/\($0.name).swift" }
    return [TextWrap.wrap(PlainText.of(summary), width: 80)]
      + (isSample || edits.isEmpty
        ? []
        : ["", "To complete:"] + (edits + ["Tests/\(name.tests)/\(name.tests).swift"]).map { "  \($0)" })
      + ["", "Then (README.md in the package says more):", "  \(test(at: path))"]
  }

  private func test(at path: String) -> String { ShellQuoting.line(["swift", "test", "--package-path", path]) }

  func json(at path: String, _ place: DecantPlace, _ warnings: [String]) -> JSON {
    let (kind, decant) =
      switch place {
      case .libraries(let path): ("libraries", path)
      case .checkout(let path): ("checkout", path)
      }
    return .object([
      "path": .string(path), "package": .string(name.package), "files": .strings(files),
      "policies": .strings(models.code.policies.map(\.name)),
      "objects": .strings(models.classes.classes.map(\.name)),
      "functions": .strings(models.code.functions.map(\.name)),
      "decant": .object(["kind": .string(kind), "path": .string(decant)]),
      "oldVersions": .array(
        models.oldVersions.map {
          .object([
            "family": .string($0.family), "name": .string($0.name), "target": .string($0.target),
          ])
        }),
      "next": .strings([test(at: path)]), "warnings": .strings(warnings),
    ])
  }
}
