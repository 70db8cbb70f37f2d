internal import DecantCatalogue
internal import DecantModel
internal import DecantStore
internal import Foundation

/// Reports the open points of a version: whether a reference store would settle them, or whether nothing can
/// (docs/catalogue.md, “Reference stores”).
struct ReferenceStoreCheck {
  let family: Family
  let version: FamilyVersion
  /// How the paths to the target use the version.
  let uses: Set<Use>

  enum Use {
    /// Stores of the version are made.
    case destination
    /// Stores of the version are read.
    case source
    /// Other stores pass through the version.
    case passage
    /// Stores of the version stay unchanged; only their tables are examined.
    case atTarget
  }

  func fill(_ report: inout FamilyReport) {
    let scratch = ScratchPlace()
    defer { scratch.remove() }
    let reference =
      family.referenceStores.isEmpty
      ? (answer: nil, unused: [])
      : ReferenceStores(family: family, workFolder: URL(fileURLWithPath: scratch.path)).first(of: version) {
        $0.schema
      }
    let framework = max(FrameworkVersion.current, .oldest(expressing: version.model))
    do {
      let layout = try StoreLayout(version.model, framework: framework, evidence: reference.answer)
      if uses.contains(.destination) {
        try checkDestination(layout, hasReference: reference.answer != nil, &report)
      } else {
        checkSource(layout, hasReference: reference.answer != nil, reference.unused, &report)
      }
    } catch LayoutError.unsettled(let names) {
      report.add(
        .error, message(fault, names, hasReference: reference.answer != nil, reference.unused))
    } catch {
      report.add(.error, "\(fault): \(error).")
    }
  }

  private func checkDestination(
    _ layout: StoreLayout, hasReference: Bool, _ report: inout FamilyReport
  ) throws(LayoutError) {
    let open = try SchemaStatements(layout).leftOut.filter(\.canBeSettled)
    guard !hasReference, !open.isEmpty else { return }
    report.add(
      .warning,
      "A reference store of version “\(version.name)” would settle "
        + open.map(\.description).joined(separator: "; ")
        + ". Without one, stores of that version get no such index. \(Self.help)")
  }

  private func checkSource(
    _ layout: StoreLayout, hasReference: Bool, _ unused: [String], _ report: inout FamilyReport
  ) {
    let open = layout.unsettled.filter { point in
      // A store that stays unchanged needs only the tables and columns that Decant expects. So the other points don't
      // matter for it.
      let isAsked =
        uses.contains(.source)
        || uses.contains(.atTarget) && !layout.names(of: point.property).isEmpty
      return point.canBeSettled ? isAsked && !point.isToldByTables : isAsked || uses.contains(.passage)
    }
    if let problem = makingProblem(layout, besides: open) {
      report.add(uses.contains(.passage) ? .error : .warning, problem)
    }
    guard !open.isEmpty else { return }
    let isCertain = hasReference || !open.allSatisfy(\.canBeSettled)
    report.add(
      isCertain ? .error : .warning,
      message(
        isCertain ? fault : "Whether stores of version “\(version.name)” can be read isn't certain", open,
        hasReference: hasReference, unused))
  }

  /// Why stores of a passage or of the target can't be made.
  ///
  /// - Parameter reported: Points that have findings of their own.
  private func makingProblem(_ layout: StoreLayout, besides reported: [StoreLayout.Unsettled]) -> String? {
    let isPassage = uses.contains(.passage)
    guard isPassage || uses.contains(.atTarget) else { return nil }
    let begin =
      isPassage
      ? "Stores whose path leads through version “\(version.name)” can't be migrated"
      : "No store of version “\(version.name)” can be made"
    let end =
      isPassage
      ? ""
      : " Stores that have this version stay as they are; a store of another version can't be migrated to it."
    do throws(LayoutError) {
      _ = try SchemaStatements(layout)
      return nil
    } catch .unsettled(let names) {
      let open = names.filter { !$0.canBeSettled && !reported.contains($0) }
      guard !open.isEmpty else { return nil }
      let points = open.map(\.description).joined(separator: "; ")
      return "\(begin): it isn't known how Core Data stores this: \(points).\(end)"
    } catch {
      return "\(begin): \(error).\(end)"
    }
  }

  private func message(
    _ begin: String, _ names: [StoreLayout.Unsettled], hasReference: Bool, _ unused: [String]
  ) -> String {
    let open = names.map(\.description).joined(separator: "; ")
    guard names.allSatisfy(\.canBeSettled) else {
      return "\(begin): \(LayoutError.unsettled(names))."
    }
    guard !hasReference else { return "\(begin): its reference store doesn't settle \(open)." }
    let yet = uses.contains(.destination) ? " yet" : ""
    return
      "\(begin)\(yet). A reference store of that version would settle "
      + "\(open). \(Self.help)"
      + (unused.isEmpty
        ? "" : " The existing reference stores don't help: " + unused.joined(separator: " "))
  }

  /// The consequence of a fault of the layout, as the beginning of a sentence.
  private var fault: String {
    if uses.contains(.destination) { return "Stores can't be migrated to version “\(version.name)”" }
    return uses.contains(.passage)
      ? "Stores of version “\(version.name)”, and all whose path leads through it, can't be migrated"
      : "Stores of version “\(version.name)” can't be read"
  }

  private static let help = "scripts/reference-stores.swift makes reference stores on a Mac."
}
