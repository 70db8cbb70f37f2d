/// Reads the labels of a function's parameters.
enum ParameterLabels {
  static func labels(in range: Range<Int>, _ code: SwiftCode) -> [String] {
    var labels: [String] = []
    var depth = 0
    var isStart = true
    for index in range {
      if isStart, let label = code.name(at: index) { labels.append(label) }
      isStart = false
      switch code.text(at: index) {
      case "(", "[", "<", "{": depth += 1
      case ")", "]", "}": depth -= 1
      // The arrow of a function's type closes nothing.
      case ">" where !code.isMark("-", at: index - 1): depth -= 1
      case "," where depth == 0: isStart = true
      default: break
      }
    }
    return labels
  }
}
