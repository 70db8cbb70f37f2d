/// Values without duplicates by `==`; the first of equal values stays.
enum Distinct {
  static func members(_ values: [Value]) -> [Value] {
    var seen: Set<Key> = []
    return values.filter { seen.insert(Key(value: $0, options: [])).inserted }
  }

  static func keys(_ values: [Value], _ options: ComparisonOptions) -> Set<Key> {
    Set(values.map { Key(value: $0, options: options) })
  }

  /// A value that is compared by `Equality`.
  struct Key: Hashable {
    let value: Value
    let options: ComparisonOptions

    static func == (left: Key, right: Key) -> Bool { Equality.holds(left.value, right.value, left.options) }

    func hash(into hasher: inout Hasher) {
      if let number = Number(value) {
        // Equal numbers are equal as doubles. Zero has two forms as a double.
        hasher.combine(number.double == 0 ? 0 : number.double)
        return
      }
      switch value {
      case .null, .double, .decimal: hasher.combine(0)
      case .date(let seconds): hasher.combine(seconds == 0 ? 0 : seconds)
      case .string(let text): Bytes.hash(Folding.text(text, options), into: &hasher)
      case .array(let members), .set(let members): hasher.combine(members.count)
      default: hasher.combine(value)
      }
    }
  }
}
