/// The tables of Core Data itself.
///
/// Frameworks up to 519 make no `Z_MODELCACHE` (docs/formats/core-data-sqlite.md 1.4, 12).
package enum SystemTable {
  package static let names: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
}
