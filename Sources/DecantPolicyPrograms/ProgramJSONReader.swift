/// Reads JSON (RFC 8259) strictly from bytes that are UTF-8.
struct ProgramJSONReader {
  typealias Problem = ProgramJSON.Problem

  let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func problem(_ words: String) -> Problem {
    Problem(words: "it isn't JSON: \(words) at byte \(place + 1)", place: place)
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { place += 1 }
  }

  mutating func document() throws(Problem) -> ProgramJSON {
    let value = try value()
    skipSpace()
    guard next == nil else { throw problem("something follows the value") }
    return value
  }

  /// The byte range of the value at a path of keys.
  mutating func place(of keys: ArraySlice<String>) throws(Problem) -> Range<Int>? {
    skipSpace()
    guard let wanted = keys.first else {
      let start = place
      _ = try value()
      return start..<place
    }
    guard take(UInt8(ascii: "{")) else { return nil }
    skipSpace()
    while next == UInt8(ascii: "\"") {
      let key = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { return nil }
      if key == wanted { return try place(of: keys.dropFirst()) }
      _ = try value()
      skipSpace()
      guard take(UInt8(ascii: ",")) else { return nil }
      skipSpace()
    }
    return nil
  }

  private mutating func value() throws(Problem) -> ProgramJSON {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case .some(let byte) where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
      return .number(try number())
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    default: throw problem("a value is missing")
    }
  }

  private mutating func word(_ word: String, _ value: ProgramJSON) throws(Problem) -> ProgramJSON {
    guard bytes[place...].starts(with: word.utf8) else { throw problem("a value is missing") }
    place += word.utf8.count
    return value
  }

  private mutating func enter() throws(Problem) {
    depth += 1
    guard depth <= ProgramJSON.maximumDepth else { throw problem("it is nested too deep") }
    place += 1
    skipSpace()
  }

  private mutating func object() throws(Problem) -> ProgramJSON {
    try enter()
    var members: [String: ProgramJSON] = [:]
    var isFirst = true
    while !take(UInt8(ascii: "}")) {
      if !isFirst, !take(UInt8(ascii: ",")) { throw problem("“,” or “}” is missing") }
      isFirst = false
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw problem("a key is missing") }
      let key = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw problem("“:” is missing") }
      guard members.updateValue(try value(), forKey: key) == nil else {
        throw problem("the key “\(key)” is there twice")
      }
      skipSpace()
    }
    depth -= 1
    return .object(members)
  }

  private mutating func array() throws(Problem) -> ProgramJSON {
    try enter()
    var elements: [ProgramJSON] = []
    while !take(UInt8(ascii: "]")) {
      if !elements.isEmpty, !take(UInt8(ascii: ",")) { throw problem("“,” or “]” is missing") }
      elements.append(try value())
      skipSpace()
    }
    depth -= 1
    return .array(elements)
  }

  private mutating func number() throws(Problem) -> String {
    let start = place
    _ = take(UInt8(ascii: "-"))
    let whole = digits()
    guard whole > 0, whole == 1 || bytes[place - whole] != UInt8(ascii: "0") else {
      throw problem("a number is malformed")
    }
    if take(UInt8(ascii: ".")), digits() == 0 { throw problem("a number is malformed") }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      guard digits() > 0 else { throw problem("a number is malformed") }
    }
    guard place - start <= 400 else { throw problem("a number has more than 400 characters") }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func digits() -> Int {
    let start = place
    while let byte = next, (0x30...0x39).contains(byte) { place += 1 }
    return place - start
  }

  private mutating func string() throws(Problem) -> String {
    place += 1
    var text: [UInt8] = []
    while let byte = next {
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += try escape()
      case 0..<0x20: throw problem("a text holds a control character")
      default: text.append(byte)
      }
    }
    throw problem("a text has no end")
  }

  private mutating func escape() throws(Problem) -> [UInt8] {
    guard let byte = next else { throw problem("a text has no end") }
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0c]
    case UInt8(ascii: "n"): return [0x0a]
    case UInt8(ascii: "r"): return [0x0d]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return Array(String(Character(try scalar())).utf8)
    default: throw problem("there is no such escape")
    }
  }

  private mutating func scalar() throws(Problem) -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xdc00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw problem("half of a surrogate pair stands alone")
    }
    let second = try unit()
    guard (0xdc00...0xdfff).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    else { throw problem("half of a surrogate pair stands alone") }
    return scalar
  }

  private mutating func unit() throws(Problem) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw problem("an escape needs four hexadecimal digits")
      }
      place += 1
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
