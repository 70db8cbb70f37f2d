/// Finds bytes within bytes, in linear time (Knuth, Morris and Pratt).
enum ByteSearch {
  /// The places of the bytes, from the start, without overlaps; an empty needle has none.
  static func places(of needle: [UInt8], in hay: [UInt8], atMost limit: Int = .max) -> [Int] {
    guard !needle.isEmpty, needle.count <= hay.count else { return [] }
    // `back[n]` is the length with which the search continues if a mismatch follows n + 1 equal bytes.
    var back = [Int](repeating: 0, count: needle.count)
    var length = 0
    for place in 1..<max(needle.count, 1) {
      while length > 0, needle[place] != needle[length] { length = back[length - 1] }
      if needle[place] == needle[length] { length += 1 }
      back[place] = length
    }
    var places: [Int] = []
    length = 0
    for (place, byte) in hay.enumerated() {
      while length > 0, byte != needle[length] { length = back[length - 1] }
      if byte == needle[length] { length += 1 }
      guard length == needle.count else { continue }
      places.append(place + 1 - length)
      if places.count >= limit { break }
      length = 0
    }
    return places
  }
}
