internal import CSQLite
internal import DecantSQLite
internal import PredicateFormat

/// A prepared chain: its parts in order, and memory for the value of each.
///
/// SQLite keeps the program with its statement, and one thread at a time runs the program. A step has no counted
/// references, because it runs for every row.
final class NativeProgram {
  enum Cell {
    case null
    case integer(Int64)
    case real(Double)
    case text(NativeText)
  }

  struct Step {
    enum Code: UInt8 {
      case stringColumn, integerColumn, doubleColumn, argument, integer, split, firstWord, lastWord, nilIfEmpty,
        characterCount, rest, substring, floor, ceiling, truncate, real, digits, plus, minus, times, stamp
    }

    var code: Code
    /// Indexes of arguments or of earlier parts.
    var a: Int
    var b = 0
    var c = 0
    var number: Int64 = 0
    /// The separator; the program frees it.
    var separator = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  }

  /// The number of arguments of a call, without the text.
  let arguments: Int
  private let steps: UnsafeMutableBufferPointer<Step>
  private let cells: UnsafeMutableBufferPointer<Cell>
  private let nodes: [NativeNode]
  /// For each part, the memory for a text that isn't a piece of an argument.
  private let rooms: [NativeRoom]
  /// The date pattern of each part that writes a date; `nil` for other parts.
  private let stamps: [DateStamp?]

  init?(_ text: String, arguments: Int) {
    guard let nodes = NativeNode.nodes(in: text), !nodes.isEmpty else { return nil }
    self.nodes = nodes
    self.arguments = arguments
    rooms = nodes.map { _ in NativeRoom() }
    var stamps: [DateStamp?] = Array(repeating: nil, count: nodes.count)
    var steps: [Step] = []
    for (place, node) in nodes.enumerated() {
      if case .stamp(_, let pattern) = node { stamps[place] = DateStamp(pattern) }
      guard node.isSound(at: place, arguments: arguments) else {
        for step in steps { step.separator.deallocate() }
        return nil
      }
      steps.append(node.step)
    }
    self.stamps = stamps
    self.steps = .allocate(capacity: steps.count)
    _ = self.steps.initialize(from: steps)
    cells = .allocate(capacity: nodes.count)
    cells.initialize(repeating: .null)
  }

  deinit {
    for step in steps { step.separator.deallocate() }
    steps.deallocate()
    cells.deallocate()
  }

  /// Computes a row's value, which is valid until the next call.
  func value(_ values: UnsafeMutablePointer<OpaquePointer?>?) throws -> Cell {
    let cells = cells
    for place in 0..<steps.count { cells[place] = try value(of: steps[place], at: place, cells, values) }
    return cells[steps.count - 1]
  }

  private func value(
    of step: Step, at place: Int, _ cells: UnsafeMutableBufferPointer<Cell>,
    _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) throws -> Cell {
    switch step.code {
    case .stringColumn:
      let cell = Self.argument(values, step.a)
      if case .text = cell { return cell }
      return try absent(values, step.a, at: place)
    case .integerColumn:
      let cell = Self.argument(values, step.a)
      if case .integer = cell { return cell }
      return try absent(values, step.a, at: place)
    case .doubleColumn:
      switch Self.argument(values, step.a) {
      case .real(let number): return .real(number)
      case .integer(let number): return .real(Double(number))
      default: return try absent(values, step.a, at: place)
      }
    case .argument: return Self.argument(values, step.a)
    case .integer: return .integer(step.number)
    case .split:
      guard case .text(let text) = cells[step.a] else { return .null }
      guard text.isUTF8 else { return try repaired(at: place) }
      return text.part(step.number, by: UnsafeBufferPointer(step.separator)).map(Cell.text) ?? .null
    case .firstWord, .lastWord:
      guard case .text(let text) = cells[step.a] else { return .null }
      guard text.isPlain else { return try repaired(at: place) }
      return (step.code == .firstWord ? text.firstWord : text.lastWord).map(Cell.text) ?? .null
    case .nilIfEmpty:
      guard case .text(let text) = cells[step.a], !text.bytes.isEmpty else { return .null }
      return .text(text)
    case .characterCount:
      guard case .text(let text) = cells[step.a] else { return .null }
      guard text.isSingle else { return try repaired(at: place) }
      return .integer(Int64(text.singleCount))
    case .rest, .substring:
      guard case .text(let text) = cells[step.a] else { return .null }
      guard text.isSingle, let first = Self.whole(cells[step.b]),
        let count = step.code == .rest ? Int64.max : Self.whole(cells[step.c])
      else { return try repaired(at: place) }
      return .text(text.singles(from: first, count: count))
    case .floor: return Self.double(cells[step.a]).map { .real($0.rounded(.down)) } ?? .null
    case .ceiling: return Self.double(cells[step.a]).map { .real($0.rounded(.up)) } ?? .null
    case .truncate: return Self.double(cells[step.a]).map { .real($0.rounded(.towardZero)) } ?? .null
    case .real: return Self.double(cells[step.a]).map(Cell.real) ?? .null
    case .digits:
      guard case .integer(let number) = cells[step.a] else { return .null }
      return .text(rooms[place].digits(of: number))
    case .plus, .minus, .times: return Self.arithmetic(cells[step.a], step.code, cells[step.b])
    case .stamp:
      guard let seconds = Self.double(cells[step.a]) else { return .null }
      guard DateStamp.bounds.contains(seconds), let stamp = stamps[place] else {
        return try repaired(at: place)
      }
      return .text(rooms[place].stamped(seconds, stamp))
    }
  }

  // MARK: Values

  @inline(__always)
  private static func argument(_ values: UnsafeMutablePointer<OpaquePointer?>?, _ place: Int) -> Cell {
    let value = values?[place + 1]
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      guard let start = sqlite3_value_text(value) else { return .null }
      return .text(
        NativeText(UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))))
    default: return .null
    }
  }

  /// - Throws: `AttributeColumn.Misfit`, unless the column is NULL.
  private func absent(
    _ values: UnsafeMutablePointer<OpaquePointer?>?, _ argument: Int, at place: Int
  ) throws -> Cell {
    guard sqlite3_value_type(values?[argument + 1]) != SQLITE_NULL else { return .null }
    guard case .column(_, _, let label, let type) = nodes[place] else { return .null }
    throw AttributeColumn.Misfit(
      label: label, type: type, found: SQLFunction.value(values, argument + 1).kind)
  }

  private static func double(_ cell: Cell) -> Double? {
    switch cell {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .text: nil
    }
  }

  private static func whole(_ cell: Cell) -> Int64? {
    if case .integer(let number) = cell, number >= 0 { number } else { nil }
  }

  /// Computes like SQLite: whole numbers that overflow become doubles, and NaN becomes nil.
  private static func arithmetic(_ left: Cell, _ sign: Step.Code, _ right: Cell) -> Cell {
    if case .integer(let one) = left, case .integer(let other) = right {
      let (number, overflow) =
        switch sign {
        case .plus: one.addingReportingOverflow(other)
        case .minus: one.subtractingReportingOverflow(other)
        default: one.multipliedReportingOverflow(by: other)
        }
      if !overflow { return .integer(number) }
    }
    guard let one = double(left), let other = double(right) else { return .null }
    let number =
      switch sign {
      case .plus: one + other
      case .minus: one - other
      default: one * other
      }
    return number.isNaN ? .null : .real(number)
  }

  // MARK: The evaluator

  /// The evaluator's result for a part, used for values that this program can't process.
  private func repaired(at place: Int) throws -> Cell {
    func constant(_ place: Int) -> FormatExpression {
      switch cells[place] {
      case .null: .constant(.null)
      case .integer(let number): .constant(.integer(number))
      case .real(let number): .constant(.double(number))
      case .text(let text): .constant(.string(String(decoding: text.bytes, as: UTF8.self)))
      }
    }
    let call: FormatExpression
    switch nodes[place] {
    case .split(let text, let separator, let index):
      call = .call("split", [constant(text), .constant(.string(separator)), .constant(.integer(index))])
    case .firstWord(let text): call = .call("firstWord", [constant(text)])
    case .lastWord(let text): call = .call("lastWord", [constant(text)])
    case .characterCount(let text): call = .call("characterCount", [constant(text)])
    case .substring(let text, let start, let count):
      call = .call("substring", [constant(text), constant(start)] + (count.map { [constant($0)] } ?? []))
    case .stamp(let date, let pattern):
      let seconds = Self.double(cells[date]) ?? 0
      call = .call("formatDate", [.constant(.date(seconds)), .constant(.string(pattern))])
    default: return .null
    }
    let value = try TaggedValue.sqlite(
      try call.value(in: EvaluationContext(now: 0, functions: .library)))
    switch value {
    case .null, .blob: return .null
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .text(let text): return .text(rooms[place].hold(Array(text.utf8)))
    }
  }
}
