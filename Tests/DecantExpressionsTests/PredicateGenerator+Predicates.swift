import DecantModel

extension PredicateGenerator {
  mutating func predicate(depth: Int) -> String {
    if depth > 0, dice.chance(40) {
      switch dice.below(5) {
      case 0, 1:
        return "(\(predicate(depth: depth - 1)) \(dice.pick(["AND", "&&"])) \(predicate(depth: depth - 1)))"
      case 2, 3:
        return "(\(predicate(depth: depth - 1)) \(dice.pick(["OR", "||"])) \(predicate(depth: depth - 1)))"
      default: return "(\(dice.pick(["NOT ", "!"]))\(predicate(depth: depth - 1)))"
      }
    }
    switch dice.below(20) {
    case 0: return dice.pick(["TRUEPREDICATE", "FALSEPREDICATE"])
    case 1...3: return quantified(depth: depth)
    case 4, 5: return membership(depth: depth)
    case 6: return between(depth: depth)
    case 7...10: return text(depth: depth)
    case 11: return "\(expression(kind(), depth: depth)) \(dice.pick(["==", "!="])) nil"
    default: return plain(depth: depth)
    }
  }

  private mutating func options(_ kind: Kind) -> String {
    guard kind == .string, dice.chance(35) else { return dice.chance(2) ? "[c]" : "" }
    return dice.pick(["[c]", "[d]", "[cd]", "[dc]", "[n]", "[l]", "[cdl]"])
  }

  private mutating func sign() -> String {
    dice.pick(["=", "==", "!=", "<>", "<", ">", "<=", "=<", ">=", "=>", "==", "!="])
  }

  private mutating func plain(depth: Int) -> String {
    let kind = self.kind()
    let other = dice.chance(93) ? kind : self.kind()
    let sign =
      [Kind.number, .string, .date, .boolean].contains(kind) || dice.chance(5)
      ? sign() : dice.pick(["==", "!="])
    return "\(expression(kind, depth: depth)) \(sign)\(options(kind)) \(expression(other, depth: depth))"
  }

  private mutating func text(depth: Int) -> String {
    let word = dice.pick([
      "BEGINSWITH", "ENDSWITH", "CONTAINS", "IN", "LIKE", "MATCHES", "beginswith", "Contains",
    ])
    let left = expression(dice.chance(96) ? .string : kind(), depth: depth)
    let right: String
    switch word {
    case "LIKE":
      right = dice.pick(["'*a*'", "'a?c'", "'?'", "'*'", "'a*'", "'x\\\\*y'", "'A\u{308}*'", "'ä*'"])
    case "MATCHES": right = dice.pick(["'[a-hA-H].*'", "'a.c'", "'.*'", "'[0-9]+'", "'.*ä.*'", "'A.*'", "'('"])
    default:
      right =
        dice.chance(60)
        ? Self.quoted(dice.pick(["", "a", "A", "abc", "ä", "a\u{308}", "n"])) : expression(.string, depth: 0)
    }
    return "\(left) \(word)\(options(.string)) \(right)"
  }

  private mutating func between(depth: Int) -> String {
    let kind = dice.pick([Kind.number, .date, .string])
    return
      "\(expression(kind, depth: depth)) BETWEEN {\(expression(kind, depth: 0)), \(expression(kind, depth: 0))}"
  }

  private mutating func membership(depth: Int) -> String {
    if dice.chance(50) {
      let kind = self.kind()
      let members = (0..<(1 + dice.below(4))).map { _ in
        dice.chance(80) ? constant(kind) : expression(kind, depth: 0)
      }
      return "\(expression(kind, depth: depth)) IN\(options(kind)) {\(members.joined(separator: ", "))}"
    }
    guard let (path, kind) = collection(depth: depth) else { return "TRUEPREDICATE" }
    let value = expression(kind ?? .object, depth: 0)
    return dice.chance(50) ? "\(value) IN\(options(kind ?? .object)) (\(path))" : "(\(path)) CONTAINS \(value)"
  }

  private mutating func quantified(depth: Int) -> String {
    guard let (path, kind) = collection(depth: max(0, depth - 1)), let kind else { return "FALSEPREDICATE" }
    let word = dice.pick(["ANY", "ALL", "NONE", "SOME", "any"])
    if kind == .string, dice.chance(40) {
      let part = Self.quoted(dice.pick(["a", "A", "", "ä"]))
      return "\(word) (\(path)) \(dice.pick(["BEGINSWITH", "CONTAINS", "LIKE"]))\(options(.string)) \(part)"
    }
    if dice.chance(10) { return "\(word) (\(path)) IN {\(constant(kind)), \(constant(kind))}" }
    let sign = [Kind.number, .string, .date].contains(kind) ? sign() : dice.pick(["==", "!="])
    return "\(word) (\(path)) \(sign)\(options(kind)) \(expression(kind, depth: 0))"
  }
}
