/// The text that replaces `@NSManaged`.
struct MemberBody {
  /// The lines between the braces.
  let lines: [String]
  /// What was done, for the report.
  let change: String
  var remarks: [String] = []
}
