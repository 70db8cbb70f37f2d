/// `replace`: replaces every occurrence of a text by another.
enum Replacing {
  static let functions: [LibraryFunction] = [
    LibraryFunction(
      "replace", [.init("text", .text), .init("part", .text), .init("by", .text)], gives: .text, replace)
  ]

  private static func replace(_ call: LibraryCall) throws(EvaluationError) -> Value {
    let (bytes, part, other) = (Array(call.text(0).utf8), Array(call.text(1).utf8), Array(call.text(2).utf8))
    let places = ByteSearch.places(of: part, in: bytes)
    let (more, overflow) = places.count.multipliedReportingOverflow(by: other.count)
    guard !overflow, more <= LibraryCall.maximumBytes, bytes.count <= LibraryCall.maximumBytes - more else {
      throw LibraryCall.tooLong("replace")
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + more)
    var start = 0
    for place in places {
      result += bytes[start..<place]
      result += other
      start = place + part.count
    }
    result += bytes[start...]
    return .string(String(decoding: result, as: UTF8.self))
  }
}
