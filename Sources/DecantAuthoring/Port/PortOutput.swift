internal import DecantConsole
internal import SwiftPorting

/// The result of `decant port`.
struct PortOutput {
  let plan: PortPlan
  let skipped: [AppFolder.Skipped]
  /// The folder that was written to; nil if nothing was written.
  let place: String?

  var products: [String] { plan.products.sorted() }

  var start: String {
    func list(_ names: [String]) -> String { names.map { "\($0).self" }.joined(separator: ", ") }
    return "Worker.run(policies: [\(list(plan.policies))], objects: [\(list(plan.objects))])"
  }

  var json: JSON {
    .object([
      "output": .optional(place), "products": .strings(products), "policies": .strings(plan.policies),
      "objects": .strings(plan.objects), "tests": .strings(plan.tests), "sameNames": .strings(plan.sameNames),
      "unused": .array(
        plan.unused.map { .object(["path": .string($0.path), "reason": .string($0.reason)]) }),
      "skipped": .array(skipped.map { .object(["path": .string($0.path), "reason": .string($0.reason)]) }),
      "files": .array(
        plan.files.map {
          .object([
            "path": .string($0.path), "changes": Self.notes($0.changes), "left": Self.notes($0.left),
          ])
        }),
    ])
  }

  private static func notes(_ notes: [PortNote]) -> JSON {
    .array(notes.map { .object(["line": .integer($0.line), "text": .string($0.text)]) })
  }
}
