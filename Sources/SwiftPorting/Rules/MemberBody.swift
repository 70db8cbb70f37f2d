/// What stands in place of `@NSManaged`.
struct MemberBody {
  /// The lines between the braces.
  let lines: [String]
  /// What was done, for the report.
  let change: String
  var remarks: [String] = []
}
