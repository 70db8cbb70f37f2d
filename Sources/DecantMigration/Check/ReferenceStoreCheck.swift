internal import DecantModel
internal import DecantStore
internal import Foundation

/// Reports whether a reference store of a version would settle an open point, or that nothing can (docs/catalogue.md,
/// “Reference stores”).
struct ReferenceStoreCheck {
  let family: Family
  /// A target version of stores.
  let version: FamilyVersion

  func fill(_ report: inout FamilyReport) {
    let scratch = FileManager.default.temporaryDirectory
      .appendingPathComponent("decant-check-\(getpid())-\(UInt64.random(in: 0 ... .max))")
    defer { try? FileManager.default.removeItem(at: scratch) }
    let reference =
      family.referenceStores.isEmpty
      ? (answer: nil, unused: [])
      : ReferenceStores(family: family, workFolder: scratch).first(of: version) { $0.schema }
    let framework = max(FrameworkVersion.current, .oldest(expressing: version.model))
    do {
      let layout = try StoreLayout(version.model, framework: framework, evidence: reference.answer)
      let open = try SchemaStatements(layout).leftOut.filter(\.canBeSettled)
      guard reference.answer == nil, !open.isEmpty else { return }
      report.add(
        .warning,
        "A reference store of version “\(version.name)” would settle "
          + open.map(\.description).joined(separator: "; ")
          + ". Without one, stores of that version get no such index. \(Self.help)")
    } catch LayoutError.unsettled(let names) {
      report.add(.error, message(names, hasReference: reference.answer != nil, reference.unused))
    } catch {
      report.add(.error, "Stores can't be brought to version “\(version.name)”: \(error).")
    }
  }

  private func message(
    _ names: [StoreLayout.Unsettled], hasReference: Bool, _ unused: [String]
  ) -> String {
    let open = names.map(\.description).joined(separator: "; ")
    guard !hasReference else {
      return "Stores can't be brought to version “\(version.name)”: its reference store doesn't settle \(open)."
    }
    guard names.allSatisfy(\.canBeSettled) else {
      return "Stores can't be brought to version “\(version.name)”: \(LayoutError.unsettled(names))."
    }
    return
      "Stores can't be brought to version “\(version.name)” yet. A reference store of that version would settle "
      + "\(open). \(Self.help)"
      + (unused.isEmpty
        ? "" : " The reference stores that are there don't help: " + unused.joined(separator: " "))
  }

  private static let help = "scripts/reference-stores.swift makes one on a Mac."
}
