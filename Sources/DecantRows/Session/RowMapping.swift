package import DecantMapping
package import DecantModel
package import DecantPasses
internal import DecantSQLite
package import PredicateFormat

/// The compiled work of the base policy for one entity mapping.
///
/// In a migration, as much of this work as possible is SQL, so that row-by-row work gives the same values as statements
/// over many rows. If `verify` repeats a migration (`evaluates`), only copies and default values are SQL.
package final class RowMapping {
  /// An attribute whose expression the evaluator runs.
  package struct Evaluated {
    package let attribute: Attribute
    let expression: FormatExpression
    let column: Int
    let transformed: TransformedArguments
  }

  let number: Int
  let mapping: PassPlan.Mapping
  /// SQL that gives the values of `columns` for one source key; `nil` if there are no columns.
  let selection: String?
  /// The indexes of the destination columns whose values are SQL.
  let columns: [Int]
  package let evaluated: [Evaluated]
  /// The filter, if the evaluator has to run it; `nil` if `condition` has the filter, or if there is none.
  package let filter: FormatPredicate?
  /// The filter as SQL over `s`; `1` if the evaluator has to run the filter, or if there is none.
  let condition: String
  package let unique: FormatExpression?
  package let relationships: [RelationshipMapping]

  /// - Parameter evaluates: Whether to evaluate values that SQL could compute, too.
  package init(_ plan: PassPlan, _ mapping: PassPlan.Mapping, evaluates: Bool = false) {
    number = mapping.number
    self.mapping = mapping
    let work = CreateWork(plan, mapping, computes: !evaluates)
    var selected: [String] = []
    var columns: [Int] = []
    var evaluated: [Evaluated] = []
    for (index, column) in mapping.destinationTable.columns.enumerated() {
      guard case .attribute(let property) = column.role,
        let attribute = plan.destination.model.attribute(property.name, of: mapping.destination),
        // Derived attributes get their first values from `EntityShape.defaults`.
        !attribute.isDerived
      else { continue }
      do throws(NotSet) {
        guard let value = try work.value(of: column) else { continue }
        selected.append(value)
        columns.append(index)
      } catch {
        let row = mapping.mapping.attributeMappings.first { $0.destinationName == property.name }
        let expression: FormatExpression
        switch row?.value {
        case .expression(let given)?: expression = given
        case .source(let name)?: expression = .path(from: .variable("source"), [.key(name)])
        default: continue
        }
        evaluated.append(
          Evaluated(
            attribute: attribute, expression: expression, column: index,
            transformed: TransformedArguments(expression, of: mapping.source, in: plan.source.model)))
      }
    }
    self.columns = columns
    self.evaluated = evaluated
    let source = "source.\(quoted(mapping.sourceTable.name)) AS s"
    selection =
      selected.isEmpty ? nil : "SELECT \(selected.joined(separator: ", ")) FROM \(source) WHERE s.Z_PK = ?"
    var condition: String?
    var rest: FormatPredicate?
    if evaluates {
      rest = mapping.mapping.filter == .always ? nil : mapping.mapping.filter
    } else {
      do throws(NotSet) {
        condition = try work.filter()
      } catch {
        rest = mapping.mapping.filter
      }
    }
    filter = rest
    self.condition = condition.map { "(\($0))" } ?? "1"
    unique = mapping.mapping.uniqueBy
    relationships = mapping.mapping.settingMappings
  }
}
