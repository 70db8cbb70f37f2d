/// Many names of a folder, in order and in little memory: their bytes are in one array.
///
/// Names beyond a total of 4 GiB are dropped.
package struct NameList: Sendable {
  private var bytes: [UInt8] = []
  /// The end of each name in `bytes`.
  private var ends: [UInt32] = []

  package init() {}

  package init(_ names: some Sequence<FileName>) {
    for name in names { name.bytes.withUnsafeBytes { append($0) } }
    sort()
  }

  /// Adds a name at the end; `sort` puts it into its place.
  package mutating func append(_ name: UnsafeRawBufferPointer) {
    guard let end = UInt32(exactly: bytes.count + name.count) else { return }
    bytes.append(contentsOf: name)
    ends.append(end)
  }

  /// Puts all names into the order of their bytes.
  package mutating func sort() {
    var order = Array(ends.indices.lazy.map { UInt32($0) })
    bytes.withUnsafeBytes { raw in
      order.sort { Self.compare(raw[range(Int($0))], raw[range(Int($1))]) < 0 }
    }
    var sorted = NameList()
    sorted.bytes.reserveCapacity(bytes.count)
    sorted.ends.reserveCapacity(ends.count)
    bytes.withUnsafeBytes { raw in
      for index in order { sorted.append(UnsafeRawBufferPointer(rebasing: raw[range(Int(index))])) }
    }
    self = sorted
  }

  private func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  private static func compare(
    _ one: Slice<UnsafeRawBufferPointer>, _ other: Slice<UnsafeRawBufferPointer>
  ) -> Int {
    var (left, right) = (one.startIndex, other.startIndex)
    while left < one.endIndex, right < other.endIndex {
      if one[left] != other[right] { return one[left] < other[right] ? -1 : 1 }
      left += 1
      right += 1
    }
    return one.count - other.count
  }

  /// Compares a name with a name of another list.
  ///
  /// - Returns: A negative number if this list's name comes first, 0 if the names are the same.
  package func compare(_ index: Int, with other: Int, of list: NameList) -> Int {
    bytes.withUnsafeBytes { one in
      list.bytes.withUnsafeBytes { Self.compare(one[range(index)], $0[list.range(other)]) }
    }
  }

  /// The index of a name in the sorted list; `nil` if the list doesn't have the name.
  package func index(of name: FileName) -> Int? {
    let place = firstIndex(notBefore: name)
    return place < count && self[place] == name ? place : nil
  }

  /// The names that begin with a text, in a sorted list.
  package func names(from start: FileName) -> some Sequence<FileName> {
    self[firstIndex(notBefore: start)...].prefix { $0.bytes.starts(with: start.bytes) }
  }

  private func firstIndex(notBefore name: FileName) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle, name) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func isBefore(_ index: Int, _ name: FileName) -> Bool {
    bytes.withUnsafeBytes { raw in
      name.bytes.withUnsafeBytes { Self.compare(raw[range(index)], $0[...]) < 0 }
    }
  }
}

extension NameList: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { ends.count }
  package subscript(index: Int) -> FileName { FileName(bytes: Array(bytes[range(index)])) }
}
