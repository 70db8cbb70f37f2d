internal import Foundation

/// The members of Foundation's collections, without a conversion to Swift's collections.
///
/// Foundation's own methods convert a member that is a collection to a Swift array, dictionary or set, at every level.
/// This never ends for a list that contains itself, and takes very long for a list that is at many places. A mirror of
/// a collection gives the members unconverted.
enum CollectionParts {
  static func members(of list: NSArray) -> [Any] {
    let own = isPlain(list) ? Mirror(reflecting: list).children.map(\.value) : []
    guard own.count == list.count else { return (0..<list.count).map { list.object(at: $0) } }
    return own.map(outward)
  }

  static func members(of set: NSSet) -> [Any] {
    let own = isPlain(set) ? Mirror(reflecting: set).children.map(\.value) : []
    guard own.count == set.count else { return set.allObjects }
    return own.map(outward)
  }

  static func members(of set: NSOrderedSet) -> [Any] {
    (0..<set.count).map { outward(set.object(at: $0)) }
  }

  static func entries(of entries: NSDictionary) -> [(key: Any, value: Any)] {
    let own =
      isPlain(entries)
      ? Mirror(reflecting: entries).children.compactMap { $0.value as? (key: NSObject, value: AnyObject) } : []
    guard own.count == entries.count else { return entries.map { ($0.key, $0.value) } }
    return own.map { (outward($0.key), outward($0.value)) }
  }

  /// Whether the class is Foundation's own: a subclass may keep its members elsewhere.
  private static func isPlain(_ object: NSObject) -> Bool {
    let type = type(of: object)
    return plain.contains { $0 == type }
  }

  private static let plain: [AnyClass] = [
    NSArray.self, NSMutableArray.self, NSSet.self, NSMutableSet.self, NSDictionary.self,
    NSMutableDictionary.self,
  ]

  /// A member: a collection or a mutable value unconverted, any other value as Foundation gives it.
  private static func outward(_ member: Any) -> Any {
    switch member as AnyObject {
    case let list as NSArray: list
    case let set as NSSet: set
    case let entries as NSDictionary: entries
    case let ordered as NSOrderedSet: ordered
    case let text as NSMutableString: text
    case let data as NSMutableData: data
    case let other: NSArray(object: other).object(at: 0)
    }
  }
}
