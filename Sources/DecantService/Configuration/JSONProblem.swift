internal import Foundation

/// What is wrong with a JSON text, in one plain sentence.
enum JSONProblem {
  static func words(for error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    switch error {
    case .dataCorrupted(let context):
      if let underlying = context.underlyingError as? CocoaError,
        let detail = underlying.userInfo[NSDebugDescriptionErrorKey] as? String
      {
        return detail
      }
      return context.debugDescription
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context):
      let place = context.codingPath.map(\.stringValue).joined(separator: ".")
      return place.isEmpty ? context.debugDescription : "“\(place)”: \(context.debugDescription)"
    @unknown default: return "\(error)"
    }
  }
}
