internal import DecantConsole

/// Changes of a model as lines for people.
struct DifferenceText {
  let coloured: Bool
  let width: Int

  func lines(_ entity: ModelDifference.EntityChange) -> [String] {
    let notes =
      (entity.condition.map { [$0.note] } ?? [])
      + (entity.losesObjects ? ["objects are lost"] : [])
      + (entity.kind == .changed && !entity.changesHash ? ["same version hash"] : [])
    var lines = [
      line(
        entity.kind, entity.effect, indent: 0, "entity " + name(entity.name, entity.formerName), "",
        notes: notes)
    ]
    lines += reasons(entity.reasons, indent: 0)
    for detail in entity.details {
      lines.append(line(.changed, detail.effect, indent: 2, text(detail), ""))
    }
    for property in entity.properties {
      let title = "\(property.sort) " + name(property.name, property.formerName)
      let text =
        switch property.kind {
        case .added: introduction(of: property)
        case .removed: ""
        case .renamed, .changed: self.text(property.details)
        }
      lines.append(
        line(
          property.kind, property.effect, indent: 2, title, text,
          notes: (property.condition.map { [$0.note] } ?? [])
            + (property.losesValues ? ["values are lost"] : [])))
      lines += reasons(property.reasons, indent: 2)
    }
    return lines
  }

  func line(
    _ kind: ModelDifference.Kind, _ effect: ChangeEffect, indent: Int, _ title: String, _ text: String,
    notes: [String] = []
  ) -> String {
    let body =
      title + (text.isEmpty ? "" : ": \(text)") + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    // The mark with a space has 2 columns, and the word for the effect with its spaces has 7.
    let start = indent + 9
    return String(repeating: " ", count: indent) + mark(kind) + word(effect)
      + TextWrap.wrap(PlainText.of(body), width: width, indent: start + 2, first: start)
  }

  func text(_ change: ModelDifference.ModelChange) -> String {
    switch change.kind {
    case .removed: ""
    case .added: change.details.compactMap(\.to).joined(separator: ", ")
    case .renamed, .changed: text(change.details)
    }
  }

  func text(_ details: [ModelDifference.Detail]) -> String {
    details.map { text($0) }.joined(separator: ", ")
  }

  private func reasons(_ reasons: [String], indent: Int) -> [String] {
    let start = indent + 11
    return reasons.map {
      String(repeating: " ", count: start)
        + TextWrap.wrap("✗ " + PlainText.of($0), width: width, indent: start + 2, first: start)
    }
  }

  private func mark(_ kind: ModelDifference.Kind) -> String {
    switch kind {
    case .added: painted("+ ", "32")
    case .removed: painted("- ", "31")
    case .renamed, .changed: painted("~ ", "33")
    }
  }

  private func word(_ effect: ChangeEffect) -> String {
    let word = DisplayWidth.pad(effect.rawValue, to: 5) + "  "
    return effect == .heavy ? painted(word, "1;31") : effect == .none ? painted(word, "2") : word
  }

  private func painted(_ text: String, _ colour: String) -> String {
    coloured ? "\u{1b}[\(colour)m\(text)\u{1b}[0m" : text
  }

  private func name(_ name: String, _ former: String?) -> String {
    name + (former.map { " (before: \($0))" } ?? "")
  }

  /// The details of a new property, for one line: `String, optional` or `to-many Label, inverse notes`.
  private func introduction(of property: ModelDifference.Property) -> String {
    let values = Dictionary(property.details.map { ($0.what, $0.to ?? "") }) { first, _ in first }
    let leading = ["type", "cardinality", "destination"]
    let main = leading.compactMap { values[$0] }.joined(separator: " ")
    let rest = property.details.filter { !leading.contains($0.what) }.map {
      ModelTraits.flags.contains($0.what) ? $0.what : "\($0.what) \($0.to ?? "")"
    }
    return ([main] + rest).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func text(_ detail: ModelDifference.Detail) -> String {
    if let word = ModelTraits.lists[detail.what] {
      let parts =
        ModelTraits.additions(detail).map { "now with \(word) \($0)" }
        + ModelTraits.removals(detail).map { "without \(word) \($0)" }
      return parts.joined(separator: "; ")
    }
    let isFlag = ModelTraits.flags.contains(detail.what)
    return switch (detail.from, detail.to) {
    case (nil, _?) where isFlag: "now \(detail.what)"
    case (_?, nil) where isFlag: "no longer \(detail.what)"
    case (nil, let new?): "now with \(detail.what) \(new)"
    case (let old?, nil): "without \(detail.what) (before: \(old))"
    case (let old, let new): "\(detail.what) \(old ?? "") → \(new ?? "")"
    }
  }
}
