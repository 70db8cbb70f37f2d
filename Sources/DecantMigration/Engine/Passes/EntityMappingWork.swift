internal import DecantMapping

/// How one entity mapping runs: over whole sets of rows where all of it is SQL, row by row otherwise.
struct EntityMappingWork {
  let mapping: PassPlan.Mapping
  /// Why objects are made row by row; `nil` for statements.
  let rowsReason: String?
  /// Makes the objects.
  let creating: [Work]
  /// Join tables that are copied.
  let copies: [JoinCopy]
  /// Sets their relationships.
  let relating: [Work]
  /// What a policy does at the end of its pass.
  let ending: [Work]
  /// Relationships to objects of later passes.
  let waiting: [Work]

  /// What a plan says of it.
  var planned: MigrationPlan.Way { rowsReason.map { .rows(reason: $0) } ?? .set }

  var goesByRows: Bool { (creating + relating).contains { $0.action != nil } }

  /// - Parameter byRows: Row by row, whichever way it could go.
  init(_ plan: PassPlan, _ mapping: PassPlan.Mapping, byRows: Bool = false) {
    self.mapping = mapping
    var reasons: [String] = []
    switch mapping.mapping.policy {
    case .className?: reasons.append("the policy \(mapping.mapping.policy?.text ?? "")")
    case .program?: reasons.append("the program \(mapping.mapping.policy?.text ?? "")")
    case nil: break
    }
    // What a policy does about relationships of later passes can't be known.
    let hasPolicy = !reasons.isEmpty
    if byRows { reasons.append("the job") }
    var creating: [Work]?
    var relating: [Work]?
    var waiting: [Work] = []
    var copies: [JoinCopy] = []
    if !hasPolicy {
      if !byRows {
        var links = DirectLinks(plan, mapping)
        do throws(NotSet) {
          creating = try CreateWork(plan, mapping, links: links).works()
        } catch {
          links = .none
          reasons.append((error.property.map { "“\($0)”: " } ?? "") + error.reason)
        }
        do throws(NotSet) {
          relating = try RelateWork(plan, mapping, links: links).works()
          copies = links.copies
        } catch {
          reasons.append((error.property.map { "“\($0)”: " } ?? "") + error.reason)
        }
      }
      waiting = RelateWork(plan, mapping).waiting()
    }
    let isByRows = creating == nil || relating == nil
    rowsReason = isByRows ? reasons.first : nil
    let rows = RowWork(plan, mapping)
    // A policy begins before its first object and ends after its last relationship, whichever way these are made.
    self.creating = (isByRows ? [rows.begin] : []) + (creating ?? rows.creating)
    self.relating = relating ?? rows.relating
    ending = isByRows ? rows.ending : []
    self.waiting = waiting
    self.copies = copies
  }
}
