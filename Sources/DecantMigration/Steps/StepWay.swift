internal import DecantPasses

/// How an inferred step makes its file.
enum StepWay: Sendable {
  /// A copy of the source, in which only the differences are written.
  case inPlace(Alteration, reason: String)
  /// A new file, into which every row is written.
  case anew(reason: String)

  var alteration: Alteration? { if case .inPlace(let alteration, _) = self { alteration } else { nil } }

  /// The word for plan and report.
  var word: String {
    switch self {
    case .inPlace: "in place"
    case .anew: "anew"
    }
  }

  var reason: String {
    switch self {
    case .inPlace(_, let reason), .anew(let reason): reason
    }
  }
}
