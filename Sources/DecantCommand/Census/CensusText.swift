internal import DecantConsole
internal import DecantModel

/// A census as tables for people.
struct CensusText {
  let census: Census
  let width: Int

  var lines: [String] {
    var lines = [
      TextWrap.wrap(
        "\(PlainText.of(census.folder)): \(counted(census.stores, "store")), \(Quantity.bytes(census.bytes))"
          + (census.others == 0 ? "" : "; \(counted(census.others, "other file"))"), width: width)
    ]
    if !census.groups.isEmpty {
      var table = TextTable(rightAligned: [0, 1, 2])
      table.add(["Stores", "Size", "With losses", "Family and version", "Way"])
      for (group, count) in sortedGroups {
        table.add([
          grouped(count.stores), Quantity.bytes(count.bytes), grouped(count.withLosses),
          "\(group.family): \(group.version)", way(group),
        ])
      }
      lines += [""] + table.lines(width: width).flatMap { $0.split(separator: "\n").map(String.init) }
    }
    for (trouble, count) in sortedTroubles {
      let family = trouble.family.isEmpty ? "" : ", family “\(trouble.family)”"
      lines += [
        "",
        TextWrap.wrap(
          "\(counted(count.stores, "store")) would fail: \(trouble.reason)\(family)", width: width),
      ]
      for text in [count.message, count.advice] where !text.isEmpty { lines += wrapped(text) }
      for path in count.examples { lines.append("    \(PlainText.of(path))") }
      let more = count.stores - count.examples.count
      if more > 0 { lines.append("    and \(grouped(more)) more; --verbose lists all") }
    }
    if census.unreadableCount > 0 {
      lines += ["", "\(counted(census.unreadableCount, "name")) can't be read:"]
      for (path, reason) in census.unreadable { lines.append("    \(PlainText.of(path)): \(reason)") }
      let more = census.unreadableCount - census.unreadable.count
      if more > 0 { lines.append("    and \(grouped(more)) more") }
    }
    if census.stores == 0 { lines += ["", "No store was found."] }
    return lines
  }

  var sortedGroups: [(key: Census.Group, value: Census.Count)] {
    census.groups.sorted {
      ($0.key.family, $0.key.version, $0.key.target, $0.key.steps.joined())
        < ($1.key.family, $1.key.version, $1.key.target, $1.key.steps.joined())
    }
  }

  var sortedTroubles: [(key: Census.Trouble, value: Census.Count)] {
    census.troubles.sorted {
      ($1.value.stores, $0.key.reason, $0.key.family) < ($0.value.stores, $1.key.reason, $1.key.family)
    }
  }

  private func way(_ group: Census.Group) -> String {
    group.steps.isEmpty
      ? "unchanged: this version is the target"
      : "to “\(group.target)”: \(group.steps.joined(separator: "; then "))"
  }

  private func wrapped(_ text: String) -> [String] {
    TextWrap.wrap(PlainText.of(text), width: width, indent: 2, first: 2).split(separator: "\n").enumerated().map
    {
      $0 == 0 ? "  " + $1 : String($1)
    }
  }
}

extension Census {
  var json: JSON {
    let text = CensusText(census: self, width: 80)
    func number(_ count: Count) -> [String: JSON] {
      ["stores": .integer(count.stores), "bytes": .integer(count.bytes), "examples": .strings(count.examples)]
    }
    return .object([
      "folder": .string(folder), "stores": .integer(stores), "bytes": .integer(bytes),
      "otherFiles": .integer(others),
      "groups": .array(
        text.sortedGroups.map { group, count in
          .object(
            number(count).merging([
              "family": .string(group.family), "version": .string(group.version),
              "target": .string(group.target),
              "steps": .strings(group.steps), "objects": .integer(count.objects),
              "withLosses": .integer(count.withLosses),
            ]) { $1 })
        }),
      "failures": .array(
        text.sortedTroubles.map { trouble, count in
          .object(
            number(count).merging([
              "reason": .string(trouble.reason),
              "family": .optional(trouble.family.isEmpty ? nil : trouble.family),
              "message": .string(count.message), "advice": .string(count.advice),
            ]) { $1 })
        }),
      "unreadable": .array(
        unreadable.map { .object(["path": .string($0.path), "reason": .string($0.reason)]) }),
      "unreadableFiles": .integer(unreadableCount),
    ])
  }
}
