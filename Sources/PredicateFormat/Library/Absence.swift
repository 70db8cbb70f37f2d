/// `coalesce`, `ifEmpty`, `nilIfEmpty`: values in place of nil or of an empty text, and nil in place of an empty text.
enum Absence {
  static let functions: [LibraryFunction] = [
    LibraryFunction(
      "coalesce", [.init("value", .anything, takesNil: true)],
      rest: .init("value", .anything, takesNil: true), gives: .argument
    ) { call throws(EvaluationError) in call.arguments.first { !LibraryCall.isNil($0) } ?? .null },
    LibraryFunction(
      "ifEmpty", [.init("text", .text, takesNil: true), .init("otherwise", .anything, takesNil: true)],
      gives: .argument
    ) { call throws(EvaluationError) in call.text(0).isEmpty ? call.value(1) : call.value(0) },
    LibraryFunction("nilIfEmpty", [.init("text", .text)], gives: .text, nilFor: .empty) {
      call throws(EvaluationError) in
      call.text(0).isEmpty ? .null : call.value(0)
    },
  ]
}
