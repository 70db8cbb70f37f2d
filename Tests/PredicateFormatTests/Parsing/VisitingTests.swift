import PredicateFormat
import Testing

@Suite struct VisitingTests {
  @Test func allExpressionsAreShownOuterOnesFirst() throws {
    let predicate = try FormatPredicate(
      parsing: "NOT (FUNCTION($m, 'f:', a[$i].b) == {1, CAST($c, 'NSDate')}"
        + " OR SUBQUERY($s, $x, $x.k == $y).@count > TERNARY($t == 1, FETCH($r, $q, NO), sum($u) UNION ($v := $w)))"
    )
    var variables: [String] = []
    var keys: [String] = []
    predicate.visit { expression in
      if case .variable(let name) = expression { variables.append(name) }
      if case .keyPath(let path) = expression {
        for case .key(let key) in path.steps { keys.append(key) }
      }
    }
    #expect(variables == ["m", "i", "c", "s", "x", "y", "t", "r", "q", "u", "w"])
    #expect(keys == ["a", "b", "k"])
  }
}
