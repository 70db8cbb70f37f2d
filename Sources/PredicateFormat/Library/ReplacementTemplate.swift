internal import Foundation

/// The replacement of a match: text, and groups of the match as `$1`; `\$` is a dollar sign.
///
/// A group's number takes a further digit if a group with the longer number exists. A group that doesn't exist, or
/// didn't match, gives no text.
struct ReplacementTemplate {
  private enum Part {
    case units([UInt16])
    case group(Int)
  }

  private var parts: [Part] = []

  init(_ text: String, groups: Int) {
    var units: [UInt16] = []
    var rest = Array(text.utf16)[...]
    func digit(_ unit: UInt16?) -> Int? { unit.flatMap { (0x30...0x39).contains($0) ? Int($0) - 0x30 : nil } }
    while let unit = rest.popFirst() {
      if unit == 0x5c, let next = rest.popFirst() {
        units.append(next)
      } else if unit == 0x24, var group = digit(rest.first) {
        rest.removeFirst()
        while let next = digit(rest.first), group * 10 + next <= groups {
          group = group * 10 + next
          rest.removeFirst()
        }
        parts += [.units(units), .group(group)]
        units = []
      } else {
        units.append(unit)
      }
    }
    parts.append(.units(units))
  }

  func append(_ match: NSTextCheckingResult, in text: [UInt16], to result: inout [UInt16]) {
    for part in parts {
      switch part {
      case .units(let units): result += units
      case .group(let group):
        guard group < match.numberOfRanges else { continue }
        let range = match.range(at: group)
        if range.location != NSNotFound { result += text[range.location..<(range.location + range.length)] }
      }
    }
  }
}
