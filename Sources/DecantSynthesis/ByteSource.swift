internal import DecantModel
internal import DecantStore
internal import Foundation
internal import KeyedArchive

/// Makes the bytes of binary and transformable attributes.
///
/// The bytes that an app's own class or transformer writes aren't known, so such values are random bytes. `ValueSource`
/// makes such values only for required attributes.
struct ByteSource: Sendable {
  /// Whether values begin with a marker byte and may be in files (docs/formats/core-data-sqlite.md 7.2).
  let isExternal: Bool
  let isTransformable: Bool
  /// Makes the archives of a transformable attribute; `nil` for a binary attribute, and if an app's own class or
  /// transformer makes the bytes.
  let archives: ArchiveSource?
  /// The distance between the numbers of the objects whose values are put into files.
  let fileEvery: Int

  /// - Parameter rows: The number of objects.
  init(_ attribute: Attribute, rows: Int) {
    isExternal = attribute.allowsExternalBinaryDataStorage
    isTransformable = attribute.type == .transformable
    archives = isTransformable ? ArchiveSource(attribute) : nil
    fileEvery = max(8, rows / 8)
  }

  func value(of number: Int, _ random: inout SplitMix64, external: ExternalFiles) throws(StoreError) -> Data {
    if isExternal, archives == nil, number % fileEvery == 3 {
      return try external.write(Self.noise(100_000 + random.below(60_000), &random), random: &random)
    }
    let bytes = bytes(&random)
    return isExternal ? Data([1]) + bytes : bytes
  }

  func unique(_ number: UInt64, _ random: inout SplitMix64) -> Data {
    let bytes =
      archives?.unique(number)
      ?? withUnsafeBytes(of: number.bigEndian) { Data($0) } + Self.noise(random.below(8), &random)
    return isExternal ? Data([1]) + bytes : bytes
  }

  private func bytes(_ random: inout SplitMix64) -> Data {
    if let archives { return archives.data(&random) }
    switch random.below(64) {
    case 0, 1: return Data()
    case 2: return Self.noise(2_000 + random.below(12_000), &random)
    default: return Self.noise(1 + random.below(60), &random)
    }
  }

  static func noise(_ count: Int, _ random: inout SplitMix64) -> Data {
    var data = Data(capacity: count + 8)
    while data.count < count { withUnsafeBytes(of: random.next().littleEndian) { data.append(contentsOf: $0) } }
    return data.prefix(count)
  }
}
