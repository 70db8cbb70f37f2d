/// `padStart`, `padEnd`: texts filled to a width.
enum Padding {
  private static let maximumWidth: Int64 = 10_000

  static let functions: [LibraryFunction] = [
    LibraryFunction("padStart", parameters, gives: .text) { call throws(EvaluationError) in
      .string(filling(call) + call.text(0))
    },
    LibraryFunction("padEnd", parameters, gives: .text) { call throws(EvaluationError) in
      .string(call.text(0) + filling(call))
    },
  ]

  private static let parameters = [
    LibraryParameter("text", .text), LibraryParameter("width", .whole(0...maximumWidth)),
    LibraryParameter("with", .text, isOptional: true),
  ]

  private static func filling(_ call: LibraryCall) -> String {
    let missing = call.whole(1) - call.text(0).count
    let characters = call.has(2) ? Array(call.text(2)) : [" "]
    guard missing > 0, !characters.isEmpty else { return "" }
    return String((0..<missing).map { characters[$0 % characters.count] })
  }
}
