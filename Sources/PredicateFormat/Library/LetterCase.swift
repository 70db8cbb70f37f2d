internal import Foundation

/// The functions `upper`, `lower`, `capitalise` and `fold` for letter case; `fold` also removes diacritics.
enum LetterCase {
  static let functions: [LibraryFunction] = [
    LibraryFunction("upper", parameters, gives: .text) { call throws(EvaluationError) in
      .string(locale(call).map { call.text(0).uppercased(with: $0) } ?? call.text(0).uppercased())
    },
    LibraryFunction("lower", parameters, gives: .text) { call throws(EvaluationError) in
      .string(locale(call).map { call.text(0).lowercased(with: $0) } ?? call.text(0).lowercased())
    },
    LibraryFunction("capitalise", parameters, gives: .text) { call throws(EvaluationError) in
      .string(call.text(0).capitalized(with: locale(call) ?? Locales.posix))
    },
    LibraryFunction("fold", [.init("text", .text)], gives: .text) { call throws(EvaluationError) in
      .string(Folding.text(call.text(0), [.caseInsensitive, .diacriticInsensitive]))
    },
  ]

  private static let parameters = [
    LibraryParameter("text", .text), LibraryParameter("locale", .locale, isOptional: true),
  ]

  private static func locale(_ call: LibraryCall) -> Locale? {
    call.has(1) ? Locales.locale(call.text(1)) : nil
  }
}
