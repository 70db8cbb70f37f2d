import DecantTestSupport
import KeyedArchive
import Testing

@testable import DecantModel
@testable import DecantSynthesis

@Suite("Parts of a synthetic store")
struct GeneratingPartsTests {
  @Test(
    "a shuffle gives each number a place of its own, and finds the number of each place",
    arguments: [0, 1, 2, 3, 4, 6, 10, 97, 1_000, 4_096])
  func shuffle(count: Int) {
    let shuffle = Shuffle(count, seed: 12_345)
    let places = (0..<count).map(shuffle.place)
    #expect(places.sorted() == Array(0..<count))
    #expect(places.map(shuffle.number) == Array(0..<count))
  }

  @Test("a large shuffle doesn't overflow")
  func largeShuffle() {
    let shuffle = Shuffle(SyntheticStore.rowLimit, seed: .max)
    for number in [0, 1, SyntheticStore.rowLimit / 2, SyntheticStore.rowLimit - 1] {
      #expect(shuffle.number(at: shuffle.place(of: number)) == number)
    }
  }

  @Test(
    "the children of each owner have places from 0 without a gap",
    arguments: [(1, 1), (7, 3), (3, 7), (1_000, 90)])
  func skewed(children: Int, owners: Int) {
    let links = ToOneLinks(
      .skewed, from: 10..<(10 + children), to: 0..<owners, isOneFamily: false, isOptional: false, seed: 9)
    var places: [Int: [Int]] = [:]
    for child in 10..<(10 + children) {
      guard let target = links.target(of: child) else { continue }
      places[target.number, default: []].append(target.place)
    }
    #expect(places.values.reduce(0) { $0 + $1.count } == children)
    for (_, list) in places { #expect(list.sorted() == Array(0..<list.count)) }
  }

  @Test(
    "both ends of a one-to-one relationship agree", arguments: [(5, 5), (5, 3), (3, 5), (1, 1), (0, 2)],
    [true, false])
  func pairs(sizes: (Int, Int), isOptional: Bool) {
    let (one, other) = (0..<sizes.0, 0..<sizes.1)
    for isOneFamily in [true, false] {
      let there = ToOneLinks(
        .pairs(isFirst: true), from: one, to: other, isOneFamily: isOneFamily, isOptional: isOptional, seed: 5)
      let back = ToOneLinks(
        .pairs(isFirst: false), from: other, to: one, isOneFamily: isOneFamily, isOptional: isOptional, seed: 5)
      for number in one {
        if let target = there.target(of: number) { #expect(back.target(of: target.number)?.number == number) }
      }
      for number in other {
        if let target = back.target(of: number) { #expect(there.target(of: target.number)?.number == number) }
      }
    }
  }

  @Test("texts match simple patterns; other patterns aren't supported")
  func patterns() throws {
    for expression in [
      "abc", "^a+b*c?$", "[a-c]{3}", "[^0-9]{1,4}", "(?:ab|cd)+", "\\d{4}-\\d{2}", "\\w+@\\w+\\.(com|org)",
      ".{2,5}",
      "[\\d.]+", "a|b|", "x{0}", "[-a]", "\\(\\)",
    ] {
      let pattern = try #require(TextPattern(expression), "\(expression)")
      let regex = try Regex(expression)
      var random = SplitMix64(4)
      for number in 0..<50 {
        let text = pattern.text(&random)
        #expect(text.wholeMatch(of: regex) != nil, "\(expression) and “\(text)”")
        let unique = pattern.text(numbered: UInt64(number))
        #expect(unique.wholeMatch(of: regex) != nil, "\(expression) and “\(unique)”")
      }
    }
    for expression in [
      "(?=a)", "a**", "(a", "a)", "[a", "[]", "a{2", "a{5,2}", "a{-1}", "\\b", "\\1", "a$b", "(a{1000}){1000}",
      "*",
      String(repeating: "(", count: 500), "[z-a]", "\\",
    ] {
      #expect(TextPattern(expression) == nil, "\(expression)")
    }
  }

  @Test("numbered texts of a pattern are all different")
  func numberedTexts() throws {
    let pattern = try #require(TextPattern("[ab]{3}[0-9]?"))
    #expect(pattern.capacity == 80)
    #expect(Set((0..<80).map { pattern.text(numbered: $0) }).count == 80)
  }

  @Test("the two entities of a required one-to-one relationship get equally many rows")
  func rowCounts() throws {
    let counts = RowCounts(1_000, model: try EveryKindModel.make()).counts
    #expect(counts["Account"] == counts["Settings"])
    #expect(counts.values.reduce(0, +) == 1_000)
  }

  @Test("integers are within their type and limits; a limit outside of the type is ignored")
  func integers() {
    var random = SplitMix64(1)
    func values(_ limits: Attribute.Limits) -> [Int64] {
      let source = IntegerSource(-32_768...32_767, limits: limits)
      return (0..<2_000).map { _ in source.value(&random) }
    }
    #expect(values(.init(minimum: .integer(5), maximum: .integer(7))).allSatisfy { (5...7).contains($0) })
    #expect(values(.init(minimum: .integer(100_000))).allSatisfy { (-32_768...32_767).contains($0) })
    #expect(Set(values(.init(maximum: .integer(-32_768)))) == [-32_768])
    let whole = IntegerSource(.min ... .max, limits: .init())
    #expect(Set((0..<1_000).map(whole.unique)).count == 1_000)
    let narrow = IntegerSource(-10...10, limits: .init())
    #expect(Set((0..<narrow.capacity).map(narrow.unique)).count == 21)
  }

  @Test(
    "unique values of a transformable attribute are archives",
    arguments: [
      "", "NSString", "NSNumber", "NSDate", "NSURL", "NSUUID", "NSData", "NSArray", "Set<Int>",
      "[String: [Date]]",
    ])
  func uniqueArchives(className: String) throws {
    var attribute = Attribute(name: "a", type: .transformable)
    attribute.customClassName = className
    let source = ByteSource(attribute, rows: 10)
    var random = SplitMix64(1)
    let values = (0..<100).map { source.unique($0, &random) }
    #expect(Set(values).count == 100)
    for value in values { _ = try Archive(parsing: value).root() }
  }
}
