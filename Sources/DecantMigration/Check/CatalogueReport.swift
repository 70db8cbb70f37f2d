/// The result of checking a catalogue without a store: printed by `decant check`.
public struct CatalogueReport: Sendable, Hashable, Codable {
  /// In name order.
  public var families: [FamilyReport]

  /// The number of findings of a severity in all families.
  public func count(_ severity: FamilyReport.Finding.Severity) -> Int {
    families.reduce(0) { $0 + $1.count(severity) }
  }
}
