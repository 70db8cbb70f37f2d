internal import DecantStore
internal import Foundation
internal import KeyedArchive

/// Bytes of binary and transformable attributes.
struct ByteSource: Sendable {
  /// Whether values begin with a marker byte and may lie in files (docs/formats/core-data-sqlite.md 7.2).
  let isExternal: Bool
  let isTransformable: Bool
  /// On average one value in this number is large and goes into a file.
  let fileEvery: Int

  init(isExternal: Bool, isTransformable: Bool, rows: Int) {
    self.isExternal = isExternal
    self.isTransformable = isTransformable
    fileEvery = max(8, rows / 8)
  }

  func value(of number: Int, _ random: inout SplitMix64, external: ExternalFiles) throws(StoreError) -> Data {
    if isExternal, number % fileEvery == 3 {
      return try external.write(Self.noise(100_000 + random.below(60_000), &random), random: &random)
    }
    let bytes = bytes(&random)
    return isExternal ? Data([1]) + bytes : bytes
  }

  /// Bytes that are unique for each number.
  func unique(_ number: UInt64, _ random: inout SplitMix64) -> Data {
    let bytes = withUnsafeBytes(of: number.bigEndian) { Data($0) } + Self.noise(random.below(8), &random)
    return isExternal ? Data([1]) + bytes : bytes
  }

  private func bytes(_ random: inout SplitMix64) -> Data {
    if isTransformable {
      // The output of an application's own transformer is opaque.
      return random.once(in: 8)
        ? Self.noise(1 + random.below(40), &random) : Self.archives[random.below(Self.archives.count)]
    }
    switch random.below(64) {
    case 0, 1: return Data()
    case 2: return Self.noise(2_000 + random.below(12_000), &random)
    default: return Self.noise(1 + random.below(60), &random)
    }
  }

  private static func noise(_ count: Int, _ random: inout SplitMix64) -> Data {
    var data = Data(capacity: count + 8)
    while data.count < count { withUnsafeBytes(of: random.next().littleEndian) { data.append(contentsOf: $0) } }
    return data.prefix(count)
  }

  /// Keyed archives of one string each, as the default transformer makes them.
  private static let archives: [Data] = SampleText.phrases.map { phrase in
    PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
      "$top": .dictionary(["root": .uid(1)]), "$objects": .array([.string("$null"), .string(phrase)]),
    ]).binaryData()
  }
}
