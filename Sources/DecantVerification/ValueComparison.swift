internal import DecantModel
internal import DecantPasses
internal import DecantSQLite
internal import DecantStore

/// SQL conditions that compare an attribute in a destination row `d` with a source row `s`; true means a difference.
struct ValueComparison {
  /// The condition on storage class and bytes, without the marker byte of external storage.
  let value: String
  /// The condition on the marker byte; `nil` if the attribute's values have none, or if `value` compares it, too.
  let marker: String?
  /// True for a value that became nil, or the default, because its file is missing; `nil` if this is impossible.
  let fileless: String?

  /// - Returns: `nil` for attributes that the mapping models don't determine, that are recomputed, or whose source
  ///   attribute has no column.
  init?(
    _ attribute: Attribute, origin: Lineage.Origin, column: String, sourceColumn: (String) -> String?
  ) {
    let actual = "d." + quoted(column)
    let isExternal = attribute.allowsExternalBinaryDataStorage
    switch origin {
    case .derived, .unmapped: return nil
    case .constant(let constant):
      value = Self.differs(actual, fromDefault: SQLLiteral.text(constant, isExternal: isExternal))
      marker = nil
      fileless = nil
    case .source(let name, let fallback, let settings):
      guard let former = sourceColumn(name) else { return nil }
      let before = "s." + quoted(former)
      let wasExternal = settings.first ?? false
      // A derived value that was nil may have been computed since.
      guard !attribute.isDerived else {
        value = "(\(before) IS NOT NULL AND \(Self.differs(actual, from: before, fallback: "NULL")))"
        marker = nil
        fileless = nil
        return
      }
      guard wasExternal || isExternal else {
        value = Self.differs(actual, from: before, fallback: SQLLiteral.text(fallback))
        marker = nil
        fileless = nil
        return
      }
      let standard = SQLLiteral.text(fallback, isExternal: isExternal)
      let changes = settings.contains(!isExternal)
      let content = wasExternal ? "\(ExternalDataFunction.inline)(\(before))" : before
      // The function reads the file, so the cheap conditions come first.
      fileless =
        wasExternal && settings.contains(false)
        ? "(CASE WHEN \(actual) IS \(standard) AND typeof(\(before)) = 'blob' AND substr(\(before), 1, 1) = x'02' "
          + "THEN (\(content)) IS NULL ELSE 0 END)"
        : nil
      guard isExternal else {
        value = Self.differs(actual, from: content, fallback: standard)
        marker = nil
        return
      }
      // A value whose storage setting changed is inline now; any other value keeps its marker.
      let first = "substr(\(actual), 1, 1)"
      let same = changes ? "substr(\(actual), 2) IS \(content)" : "\(actual) IS \(before)"
      let expected = changes ? "x'01'" : "substr(\(before), 1, 1)"
      let wrongMarker = "\(actual) IS NOT NULL AND \(before) IS NOT NULL AND \(first) IS NOT \(expected)"
      marker = "(\(wrongMarker))"
      value =
        "(CASE WHEN \(wrongMarker) THEN 0 WHEN \(before) IS NULL OR (\(content)) IS NULL AND \(changes ? 1 : 0) "
        + "THEN \(actual) IS NOT \(standard) ELSE NOT (\(same)) END)"
    }
  }

  /// Numbers of another storage class count as different; if the source has nil, the fallback is compared.
  private static func differs(_ actual: String, from before: String, fallback: String) -> String {
    let same = "\(actual) IS \(before) AND typeof(\(actual)) = typeof(\(before))"
    guard fallback != "NULL" else { return "NOT (\(same))" }
    return "(CASE WHEN \(before) IS NULL THEN \(differs(actual, fromDefault: fallback)) ELSE NOT (\(same)) END)"
  }

  /// A column may convert a whole number to a real number and back, but never a number to a text.
  private static func differs(_ actual: String, fromDefault literal: String) -> String {
    func kind(_ expression: String) -> String { "replace(typeof(\(expression)), 'integer', 'real')" }
    return "(\(actual) IS NOT \(literal) OR \(kind(actual)) <> \(kind(literal)))"
  }
}
