/// An operator that stands in a key path after a collection, as in `pages.@max.length`.
public enum CollectionOperator: String, CaseIterable, Hashable, Sendable {
  case count
  case sum
  case average = "avg"
  case minimum = "min"
  case maximum = "max"
  case distinctUnionOfObjects
  case unionOfObjects
  case distinctUnionOfArrays
  case unionOfArrays
  case distinctUnionOfSets
}
