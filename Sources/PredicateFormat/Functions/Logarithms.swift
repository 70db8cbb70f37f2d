internal import Foundation

/// `sqrt: log: ln: exp:` give doubles.
///
/// The base of `log:` is 10, and the base of `ln:` is e. NaN becomes nil.
enum Logarithms: String {
  case sqrt = "sqrt:"
  case log = "log:"
  case ln = "ln:"
  case exp = "exp:"

  func value(_ number: Number) -> Value {
    let argument = number.double
    let result =
      switch self {
      case .sqrt: argument.squareRoot()
      case .log: argument > 0 ? Foundation.log10(argument) : .nan
      case .ln: argument > 0 ? Foundation.log(argument) : .nan
      case .exp: Foundation.exp(argument)
      }
    return Number.double(result).value
  }
}
