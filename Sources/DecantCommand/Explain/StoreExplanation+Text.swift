internal import DecantConsole
internal import DecantMigration
internal import DecantModel
internal import DecantReport

extension StoreExplanation {
  private static let width = 80
  /// The number of losses that are listed, so that the text stays short.
  private static let shownLosses = 5
  private static let shownSteps = 5

  var lines: [String] {
    [head] + wrapped(knownBy) + stepLines + refusalLines + lossLines + nextLines
  }

  private var head: String {
    let name = PlainText.of(store)
    guard let version else { return TextWrap.wrap("\(name): its version isn't known.", width: Self.width) }
    let isOwn = version.hasPrefix("the store's own model")
    let text = isOwn ? version : "version “\(version)”" + (family.map { " of family “\($0)”" } ?? "")
    return TextWrap.wrap("\(name) has \(PlainText.of(text)).", width: Self.width)
  }

  private var stepLines: [String] {
    guard !steps.isEmpty, let target else { return [] }
    var lines = ["", "To “\(PlainText.of(target))” in \(counted(steps.count, "step"))"]
    for (index, step) in steps.prefix(Self.shownSteps).enumerated() {
      let number = steps.count > 1 ? "\(index + 1). " : ""
      lines += wrapped("\(number)“\(step.source)” to “\(step.destination)”: \(step.way)")
      for reason in step.reasons { lines += wrapped("\(reason).", indent: 4) }
    }
    if steps.count > Self.shownSteps {
      lines.append(
        "  and \(counted(steps.count - Self.shownSteps, "step")) more; decant plan shows them")
    }
    for sentence in missing { lines += wrapped("Missing: \(sentence)") }
    return lines
  }

  private var refusalLines: [String] {
    guard let refusal else { return [] }
    let shown = refusal.sentences.prefix(4)
    let more = refusal.sentences.count - shown.count
    return ["", "The store isn't migrated: \(refusal.reason)"] + shown.flatMap { wrapped($0) }
      + (more > 0 ? ["  and \(counted(more, "line")) more; decant plan shows them"] : [])
      + wrapped(refusal.meaning)
  }

  private var lossLines: [String] {
    guard refusal == nil, !steps.isEmpty else { return [] }
    let real = losses.filter { $0.values > 0 }
    guard !real.isEmpty else {
      if hasCode {
        let sentences =
          uncounted.isEmpty
          ? "Lost: nothing, except values that the policies don't read. These can't be counted."
          : "Nothing is lost that can be counted now. Values that the policies don't read can't be counted."
        return [""] + wrapped(sentences, indent: 0) + uncountedLines
      }
      if !uncounted.isEmpty { return ["", "Nothing is lost that can be counted now."] + uncountedLines }
      return [
        "", losses.isEmpty ? "Nothing is lost." : "Nothing is lost: all values have a new place.",
      ]
    }
    var lines = ["", "Lost"]
    for loss in real.prefix(Self.shownLosses) {
      let name = loss.property.map { "\(loss.entity).\($0)" } ?? loss.entity
      lines += wrapped(
        "\(name): \(counted(loss.values, loss.kind.unit))"
          + (loss.probableRename.map { ", probably renamed to “\($0)”" } ?? "")
          + (loss.accepted ? " (accepted)" : ""))
    }
    if real.count > Self.shownLosses {
      lines.append(
        "  and \(counted(real.count - Self.shownLosses, "loss", "losses")) more; decant plan shows them")
    }
    return lines + uncountedLines
  }

  private var uncountedLines: [String] {
    let named = uncounted.filter { !$0.names.isEmpty }
    var lines: [String] = []
    for step in named.prefix(Self.shownSteps) {
      let names = Quantity.list(step.names, shown: Self.shownLosses)
      lines += wrapped("Counted when step \(step.step) runs: \(names).")
    }
    if named.count > Self.shownSteps {
      let more = counted(named.count - Self.shownSteps, "step")
      lines.append("  and those of \(more) more; decant plan shows them")
    }
    return lines + unnamedLines
  }

  /// One sentence for all steps whose losses have no names yet.
  private var unnamedLines: [String] {
    let steps = uncounted.filter { $0.names.isEmpty }.map { $0.step }
    guard let first = steps.first, let last = steps.last else { return [] }
    guard steps.count > 1 else { return wrapped("Losses of step \(first) are counted when it runs.") }
    let isRange = steps.count > 2 && last - first == steps.count - 1
    let numbers =
      isRange
      ? "\(first) to \(last)"
      : steps.dropLast().map { "\($0)" }.joined(separator: ", ") + " and \(last)"
    return wrapped("Losses of steps \(numbers) are counted when they run.")
  }

  private var nextLines: [String] {
    var lines = ["", "Next"]
    for step in next {
      lines += wrapped(step.sentence)
      // A command isn't wrapped, so that it can be copied.
      if let line = step.line { lines.append("    " + PlainText.of(line)) }
    }
    if let first = warnings.first, refusal == nil {
      // Several warnings would not fit on a screen.
      lines +=
        warnings.count == 1
        ? ["", "Warning"] + wrapped(namesWorker ? firstSentence(of: first) : first)
        : wrapped("\(counted(warnings.count, "warning")): decant plan shows them.")
    }
    return lines
  }

  /// Whether one of the next commands writes a worker.
  private var namesWorker: Bool { next.contains { $0.line?.hasPrefix("decant worker new ") == true } }

  private func firstSentence(of text: String) -> String {
    text.firstRange(of: ". ").map { text[..<$0.lowerBound] + "." } ?? text
  }

  private func wrapped(_ text: String, indent: Int = 2) -> [String] {
    let start = String(repeating: " ", count: indent)
    return [start + TextWrap.wrap(PlainText.of(text), width: Self.width, indent: indent, first: indent)]
  }

  var json: JSON {
    .object([
      "store": .string(store), "family": .optional(family), "version": .optional(version),
      "target": .optional(target), "knownBy": .string(knownBy), "isCurrent": .boolean(isCurrent),
      "steps": .array(
        steps.map {
          .object([
            "source": .string($0.source), "destination": .string($0.destination), "way": .string($0.way),
            "reasons": .strings($0.reasons),
          ])
        }),
      "losses": .array(
        losses.map {
          .object([
            "kind": .string($0.kind.rawValue), "entity": .string($0.entity), "property": .optional($0.property),
            "values": .integer($0.values), "cause": .string($0.cause.rawValue),
            "probableRename": .optional($0.probableRename), "accepted": .boolean($0.accepted),
          ])
        }),
      "uncounted": .array(
        uncounted.map {
          .object([
            "step": .integer($0.step), "source": .string($0.source), "destination": .string($0.destination),
            "names": .strings($0.names),
          ])
        }),
      "missing": .strings(missing), "warnings": .strings(warnings),
      "refusal": refusal.map {
        .object([
          "reason": .string($0.reason), "sentences": .strings($0.sentences), "meaning": .string($0.meaning),
        ])
      } ?? .null,
      "next": .array(
        next.map { .object(["sentence": .string($0.sentence), "command": .optional($0.line)]) }),
    ])
  }
}
