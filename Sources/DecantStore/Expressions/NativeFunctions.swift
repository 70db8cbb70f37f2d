internal import CSQLite
internal import PredicateFormat

/// Library functions over a row's bytes as they are, for the calls of `NativeCalls`: no value of the evaluator is made.
///
/// Where a text has characters that take more than a look at its bytes, the evaluator is asked.
enum NativeFunctions {
  static let split = "decant_split"
  static let firstWord = "decant_first_word"
  static let lastWord = "decant_last_word"
  static let stamp = "decant_stamp"
  static let characterCount = "decant_character_count"
  static let substring = "decant_substring"

  static func register(_ handle: OpaquePointer) {
    let flags = SQLFunction.flags | SQLITE_DETERMINISTIC
    sqlite3_create_function_v2(
      handle, split, 3, flags, nil,
      { context, _, values in
        guard let text = NativeFunctions.bytes(values, 0), let separator = NativeFunctions.bytes(values, 1),
          sqlite3_value_type(values?[2]) == SQLITE_INTEGER
        else { return sqlite3_result_null(context) }
        guard NativeFunctions.isUTF8(text) else { return NativeFunctions.evaluate("split", context, 3, values) }
        NativeFunctions.answer(
          context, NativeFunctions.part(sqlite3_value_int64(values?[2]), of: text, separator))
      }, nil, nil, nil)
    sqlite3_create_function_v2(
      handle, firstWord, 1, flags, nil,
      { context, _, values in NativeFunctions.word("firstWord", context, values) }, nil, nil, nil)
    sqlite3_create_function_v2(
      handle, lastWord, 1, flags, nil,
      { context, _, values in NativeFunctions.word("lastWord", context, values) }, nil, nil, nil)
    sqlite3_create_function_v2(
      handle, characterCount, 1, flags, nil,
      { context, _, values in NativeFunctions.characterCount(context, values) }, nil, nil, nil)
    for count: Int32 in [2, 3] {
      sqlite3_create_function_v2(
        handle, substring, count, flags, nil,
        { context, count, values in NativeFunctions.substring(context, Int(count), values) }, nil, nil, nil)
    }
    registerRounding(handle, flags)
    sqlite3_create_function_v2(
      handle, stamp, 2, flags, nil, { context, _, values in NativeFunctions.stamp(context, values) }, nil, nil,
      nil)
  }

  private static func registerRounding(_ handle: OpaquePointer, _ flags: Int32) {
    sqlite3_create_function_v2(
      handle, "decant_floor", 1, flags, nil,
      { context, _, values in NativeFunctions.round(context, values, .down) }, nil, nil, nil)
    sqlite3_create_function_v2(
      handle, "decant_ceiling", 1, flags, nil,
      { context, _, values in NativeFunctions.round(context, values, .up) }, nil, nil, nil)
    sqlite3_create_function_v2(
      handle, "decant_trunc", 1, flags, nil,
      { context, _, values in NativeFunctions.round(context, values, .towardZero) }, nil, nil, nil)
  }

  private static func round(
    _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?,
    _ rule: FloatingPointRoundingRule
  ) {
    guard sqlite3_value_type(values?[0]) != SQLITE_NULL else { return sqlite3_result_null(context) }
    sqlite3_result_double(context, sqlite3_value_double(values?[0]).rounded(rule))
  }

  /// What the evaluator gives for the same values.
  private static func evaluate(
    _ name: String, _ context: OpaquePointer?, _ count: Int, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    SQLFunction.answer(context) {
      let arguments = try (0..<count).map {
        FormatExpression.constant(try TaggedValue.value(SQLFunction.value(values, $0)))
      }
      let call = FormatExpression.call(name, arguments)
      return try TaggedValue.sqlite(try call.value(in: EvaluationContext(now: 0, functions: .library)))
    }
  }

  private static func bytes(
    _ values: UnsafeMutablePointer<OpaquePointer?>?, _ place: Int
  ) -> UnsafeBufferPointer<UInt8>? {
    guard let value = values?[place], sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
    guard let start = sqlite3_value_text(value) else { return nil }
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  private static func answer(_ context: OpaquePointer?, _ bytes: UnsafeBufferPointer<UInt8>?) {
    guard let bytes else { return sqlite3_result_null(context) }
    let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
    if let start, !bytes.isEmpty {
      decant_sqlite3_result_text_copy(context, start, Int32(clamping: bytes.count))
    } else {
      decant_sqlite3_result_text_copy(context, "", 0)
    }
  }

  private static func slice(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UnsafeBufferPointer<
    UInt8
  > {
    UnsafeBufferPointer(rebasing: text[range])
  }

  // MARK: Parts

  /// The part at a place, those below 0 counted from the end.
  private static func part(
    _ index: Int64, of text: UnsafeBufferPointer<UInt8>, _ separator: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8>? {
    guard !separator.isEmpty else { return index == 0 || index == -1 ? text : nil }
    var wanted = index
    if index < 0 {
      var count: Int64 = 1
      var start = 0
      while let place = place(of: separator, in: text, from: start) {
        count += 1
        start = place + separator.count
      }
      let (place, overflow) = index.addingReportingOverflow(count)
      guard !overflow, place >= 0 else { return nil }
      wanted = place
    }
    var start = 0
    while let place = place(of: separator, in: text, from: start) {
      if wanted == 0 { return slice(text, start..<place) }
      wanted -= 1
      start = place + separator.count
    }
    return wanted == 0 ? slice(text, start..<text.count) : nil
  }

  private static func place(
    of separator: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    guard let base = text.baseAddress, let needle = separator.baseAddress,
      let found = decant_memmem(base + start, text.count - start, needle, separator.count)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// What isn't UTF-8 is repaired by the evaluator.
  private static func isUTF8(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.allSatisfy { $0 < 0x80 } || String(validating: text, as: UTF8.self) != nil
  }

  // MARK: Words

  private static func word(
    _ name: String, _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let text = bytes(values, 0) else { return sqlite3_result_null(context) }
    guard isPlain(text) else { return evaluate(name, context, 1, values) }
    answer(context, name == "firstWord" ? firstWord(of: text) : lastWord(of: text))
  }

  /// Whether white space is ASCII's and stands for itself: ASCII and Latin letters alone, nothing that combines.
  private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var isOpen = false
    for byte in text {
      if isOpen {
        guard (0x80..<0xc0).contains(byte) else { return false }
        isOpen = false
      } else if byte >= 0x80 {
        guard (0xc3...0xc9).contains(byte) else { return false }
        isOpen = true
      }
    }
    return !isOpen
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  private static func firstWord(of text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    guard let start = text.firstIndex(where: { !isSpace($0) }) else { return nil }
    return slice(text, start..<(text[start...].firstIndex(where: isSpace) ?? text.count))
  }

  /// `nil` where there is only one.
  private static func lastWord(of text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    guard let last = text.lastIndex(where: { !isSpace($0) }),
      let space = text[..<last].lastIndex(where: isSpace), text[..<space].contains(where: { !isSpace($0) })
    else { return nil }
    return slice(text, (space + 1)..<(last + 1))
  }

  // MARK: Characters

  /// Whether each scalar is a character of its own.
  private static func isSingle(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    isPlain(text) && !text.contains(0x0d)
  }

  private static func characterCount(
    _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let text = bytes(values, 0) else { return sqlite3_result_null(context) }
    guard isSingle(text) else { return evaluate("characterCount", context, 1, values) }
    sqlite3_result_int64(context, Int64(text.count { $0 & 0xc0 != 0x80 }))
  }

  private static func substring(
    _ context: OpaquePointer?, _ count: Int, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let text = bytes(values, 0) else { return sqlite3_result_null(context) }
    guard isSingle(text), (1..<count).allSatisfy({ sqlite3_value_type(values?[$0]) == SQLITE_INTEGER }),
      case let start = sqlite3_value_int64(values?[1]), start >= 0,
      case let length = count > 2 ? sqlite3_value_int64(values?[2]) : .max, length >= 0
    else { return evaluate("substring", context, count, values) }
    let first = place(of: start, in: text, from: 0)
    answer(context, slice(text, first..<place(of: length, in: text, from: first)))
  }

  /// Where so many characters after a place begins the next one; the end where there aren't so many.
  private static func place(of count: Int64, in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    guard count < text.count - start else { return text.count }
    var (place, left) = (start, count)
    while place < text.count, left > 0 {
      place += 1
      while place < text.count, text[place] & 0xc0 == 0x80 { place += 1 }
      left -= 1
    }
    return place
  }

  // MARK: Dates

  /// A pattern that is ready for use; SQLite keeps it as long as its text stays the same.
  private final class Prepared {
    let stamp: DateStamp
    var text: [UInt8] = []

    init(_ stamp: DateStamp) { self.stamp = stamp }
  }

  private static func stamp(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let value = values?[0], sqlite3_value_type(value) != SQLITE_NULL else {
      return sqlite3_result_null(context)
    }
    let seconds = sqlite3_value_double(value)
    guard DateStamp.bounds.contains(seconds) else {
      let call = FormatExpression.call(
        "formatDate", [.constant(.date(seconds)), .constant(.string(SQLFunction.text(values, 1)))])
      return SQLFunction.answer(context) {
        try TaggedValue.sqlite(try call.value(in: EvaluationContext(now: 0, functions: .library)))
      }
    }
    let prepared: Prepared
    if let known = sqlite3_get_auxdata(context, 1) {
      prepared = Unmanaged<Prepared>.fromOpaque(known).takeUnretainedValue()
    } else {
      guard let stamp = DateStamp(SQLFunction.text(values, 1)) else { return sqlite3_result_null(context) }
      prepared = Prepared(stamp)
      sqlite3_set_auxdata(
        context, 1, Unmanaged.passRetained(prepared).toOpaque(),
        { pointer in
          if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
        })
    }
    prepared.stamp.write(seconds, into: &prepared.text)
    prepared.text.withUnsafeBufferPointer { answer(context, $0) }
  }
}
