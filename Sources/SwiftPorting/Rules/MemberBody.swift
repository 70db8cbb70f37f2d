/// The body of a member that had `@NSManaged`.
struct MemberBody {
  /// The lines between the braces.
  let lines: [String]
  /// The change, as a text for the report.
  let change: String
  /// Texts for the report about what a developer has to check.
  var remarks: [String] = []
}
