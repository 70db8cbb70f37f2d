import Foundation
import Testing

@testable import DecantMigration

/// A check's findings about an expression agree with the migration's result.
///
/// The expressions are filters, chunk predicates, `uniqueBy`, and values of attributes and relationships. They run over
/// sets of rows and row by row.
@Suite struct VerdictTests {
  @Test func whatIsRefusedWhateverTheRowsIsAnError() throws {
    let bench = try VerdictBench()
    for keys in VerdictTable.fails {
      let verdict = try bench.verdict(keys)
      #expect(!verdict.errors.isEmpty, "no error: \(keys); refused: \(verdict.refusal ?? "no")")
      #expect(
        verdict.refusal != nil && verdict.refusalByRows != nil, "brought over: \(keys): \(verdict.errors)")
    }
  }

  @Test func whatIsBroughtOverIsNoError() throws {
    let bench = try VerdictBench()
    for keys in VerdictTable.works {
      let verdict = try bench.verdict(keys)
      #expect(verdict.errors.isEmpty, "\(keys)")
      #expect(verdict.refusal == nil && verdict.refusalByRows == nil, "\(keys)")
    }
  }

  @Test func whatTheValuesDecideIsNoError() throws {
    let bench = try VerdictBench()
    for keys in VerdictTable.depends {
      let verdict = try bench.verdict(keys)
      #expect(verdict.errors.isEmpty, "\(keys)")
      #expect(verdict.refusal != nil && verdict.refusalByRows != nil, "\(keys)")
    }
  }

  @Test func mistakesThatRowsWouldPassAreErrors() throws {
    let bench = try VerdictBench()
    for keys in VerdictTable.mistaken {
      let verdict = try bench.verdict(keys)
      #expect(!verdict.errors.isEmpty && verdict.refusal == nil, "\(keys)")
    }
  }

  @Test func everyFunctionOfTheLibraryIsHeldAgainstEveryKind() throws {
    let bench = try VerdictBench()
    let kinds = ["texto", "grado", "momento", "datos", "id", "web", "autor", "marcas", "marcas.palabra"]
    let calls = [
      "parseNumber(_)", "trim(_)", "prefix(_, 1)", "characterCount(_)", "normalise(_)", "fold(_)", "upper(_)",
      "capitalise(_)", "padEnd(_, 5)", "replace(_, 'a', 'b')", "extract(_, 'a')", "firstWord(_)",
      "nilIfEmpty(_)",
      "parseUUID(_)", "parseDate(_, 'yyyy')", "formatDate(_, 'yyyy')", "formatNumber(_, 1)", "sha256(_)",
      "hash64(_)", "stableUUID(_)", "join(',', _)", "coalesce(_, _)",
    ]
    for call in calls {
      for kind in kinds {
        let keys = "filter: \"\(call.replacing("_", with: kind)) != nil\""
        let verdict = try bench.verdict(keys)
        #expect(verdict.errors.isEmpty == (verdict.refusal == nil), "\(keys): \(verdict.refusal ?? "no")")
      }
    }
  }
}
