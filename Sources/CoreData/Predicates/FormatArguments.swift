public import DecantPolicies
public import Foundation

// On a Mac every object is a `CVarArg`, and apps write `NSPredicate(format: "id == %@", id as CVarArg)`. On Linux,
// these types aren't `CVarArg` without the extensions here. `String(format:)` prints their descriptions.

/// A value that can be the argument of `%@` in a format.
public protocol FormatArgument: CVarArg, _CVarArgObject {}

extension FormatArgument {
  public var _cVarArgObject: any CVarArg { NSString(string: "\(self)") }
  public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension Date: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension UUID: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension URL: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Data: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Decimal: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Array: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Set: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Dictionary: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSNumber: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSDate: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSUUID: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSURL: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSData: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSArray: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSSet: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSOrderedSet: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSDictionary: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSNull: FormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension ManagedObject: FormatArgument {}
extension ManagedObjectID: FormatArgument {}
