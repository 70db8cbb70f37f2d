internal import Foundation
internal import PredicateFormat

extension ManagedObjectModel {
  /// The version hash of every entity (docs/formats/version-hash.md 2).
  public var entityVersionHashes: EntityVersionHashes { lookups.hashes { madeHashes() } }

  private func madeHashes() -> EntityVersionHashes {
    var hashes: EntityVersionHashes = [:]
    for root in rootEntities {
      for entity in family(of: root.name) {
        hashes[entity.name] = versionHash(of: entity, parent: entity.superentityName.flatMap { hashes[$0] })
      }
    }
    return hashes
  }

  private func versionHash(of entity: Entity, parent: VersionHash?) -> VersionHash {
    var message = Array(entity.name.utf8)
    message.append(entity.isAbstract ? 1 : 0)
    if let parent { message += parent.bytes }
    // Most models are only hashed, so these look-ups are not kept.
    let inherited = EntityLookups(chain(of: entity.name))
    let attributes = inherited.attributes.declared.filter { !$0.isTransient }.map { ($0.name, $0.versionHash) }
    let relationships = inherited.relationships.filter { !$0.isTransient }.map {
      ($0.name, $0.versionHash)
    }
    for (_, hash) in (attributes + relationships).sorted(by: { NameOrder.codePoints($0.0, $1.0) }) {
      message += hash.bytes
    }
    for text in entity.uniquenessConstraints.map({ $0.joined(separator: ".") }).sorted(by: NameOrder.codePoints)
    {
      message += Array(text.utf8)
    }
    if let modifier = entity.versionHashModifier { message += Array(modifier.utf8) }
    return VersionHash(of: message)
  }
}

extension Attribute {
  /// The attribute's part of its entity's hash (docs/formats/version-hash.md 1.1).
  public var versionHash: VersionHash {
    if let derivationExpression {
      return VersionHash(of: Array(DerivationText.parsed(derivationExpression).utf8))
    }
    if type == .composite {
      return VersionHash(
        of: elements.sorted { NameOrder.codePoints($0.name, $1.name) }.flatMap { $0.versionHash.bytes })
    }
    var message = propertyHash(
      name: name, isOptional: isOptional, isTransient: isTransient, modifier: versionHashModifier
    ).bytes
    message += littleEndian(type.rawValue)
    if allowsExternalBinaryDataStorage { message.append(1) }
    if preservesValueAfterDeletion { message.append(1) }
    return VersionHash(of: message)
  }
}

extension Relationship {
  /// The relationship's part of its entity's hash (docs/formats/version-hash.md 1.2).
  public var versionHash: VersionHash {
    var message = propertyHash(
      name: name, isOptional: isOptional, isTransient: isTransient, modifier: versionHashModifier
    ).bytes
    message += Array(destinationEntityName.utf8)
    if let inverseName { message += Array(inverseName.utf8) }
    message += littleEndian(Int32(truncatingIfNeeded: maximumCount))
    message += littleEndian(Int32(truncatingIfNeeded: minimumCount))
    if isOrdered { message += [1, 0] }
    return VersionHash(of: message)
  }
}

extension EntityVersionHashes {
  private var inNameOrder: [(key: String, value: VersionHash)] {
    sorted { NameOrder.codePoints($0.key, $1.key) }
  }

  /// `NSStoreModelVersionHashesDigest`: Base64 of SHA-512 over names and hashes (docs/formats/version-hash.md 3).
  public var digest: String {
    Data(MessageDigest.sha512(inNameOrder.flatMap { Array($0.key.utf8) + $0.value.bytes }))
      .base64EncodedString()
  }

  /// `NSStoreModelVersionChecksumKey`: Base64 of SHA-256 over the hashes alone (docs/formats/version-hash.md 3).
  public var checksum: String {
    Data(MessageDigest.sha256(inNameOrder.flatMap { $0.value.bytes })).base64EncodedString()
  }
}

private func propertyHash(name: String, isOptional: Bool, isTransient: Bool, modifier: String?) -> VersionHash {
  let flags: UInt8 = (isOptional ? 1 : 0) | (isTransient ? 2 : 0)
  return VersionHash(of: Array(name.utf8) + [flags, 0] + Array((modifier ?? "").utf8))
}

private func littleEndian(_ value: Int32) -> [UInt8] {
  withUnsafeBytes(of: value.littleEndian) { Array($0) }
}
