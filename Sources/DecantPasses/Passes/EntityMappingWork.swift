internal import DecantMapping
package import DecantReport

/// The work of one entity mapping, over sets of rows or row by row.
package struct EntityMappingWork {
  package let mapping: PassPlan.Mapping
  /// The first reason to make objects or to set relationships row by row; `nil` if statements do both.
  let rowsReason: String?
  package let creating: [Work]
  /// The join tables that the relate stage copies.
  package let copies: [JoinCopy]
  let relating: [Work]
  /// The calls of the policy, or of the base class, at the end of its pass; empty if statements do all work.
  let ending: [Work]
  /// The work for relationships to objects of later passes.
  let waiting: [Work]

  /// Whether the work goes over sets or row by row, for a plan.
  package var planned: MigrationPlan.Way { rowsReason.map { .rows(reason: $0) } ?? .set }

  package var goesByRows: Bool { (creating + relating).contains { $0.action != nil } }

  /// - Parameter byRows: Whether the entity mapping must run row by row, even if it could run over sets.
  package init(_ plan: PassPlan, _ mapping: PassPlan.Mapping, byRows: Bool = false) {
    self.mapping = mapping
    var reasons: [String] = []
    switch mapping.mapping.policy {
    case .className?: reasons.append("the policy \(mapping.mapping.policy?.text ?? "")")
    case .program?: reasons.append("the program \(mapping.mapping.policy?.text ?? "")")
    case nil: break
    }
    // A policy may itself set relationships to objects of later passes, so `waiting` has no work for them.
    let hasPolicy = !reasons.isEmpty
    if byRows { reasons.append("the job") }
    var creating: [Work]?
    var relating: [Work]?
    var waiting: [Work] = []
    var copies: [JoinCopy] = []
    if !hasPolicy {
      var links = LinkPlan(plan, mapping)
      if !byRows {
        do throws(NotSet) {
          creating = try CreateWork(plan, mapping, targets: links.columns).works()
        } catch {
          links = LinkPlan(plan, mapping, compares: true)
          reasons.append((error.property.map { "“\($0)”: " } ?? "") + error.reason)
        }
        do throws(NotSet) {
          relating = try RelateWork(links).works()
          copies = links.copies
        } catch {
          reasons.append((error.property.map { "“\($0)”: " } ?? "") + error.reason)
        }
      }
      waiting = RelateWork(links).waiting()
    }
    let isByRows = creating == nil || relating == nil
    rowsReason = isByRows ? reasons.first : nil
    let rows = RowWork(plan, mapping)
    // A policy, or the base class, begins before its first object and ends after its last relationship. This is so even
    // if statements make the objects or set the relationships.
    self.creating = (isByRows ? [rows.begin] : []) + (creating ?? rows.creating)
    self.relating = relating ?? rows.relating
    ending = isByRows ? rows.ending : []
    self.waiting = waiting
    self.copies = copies
  }
}
