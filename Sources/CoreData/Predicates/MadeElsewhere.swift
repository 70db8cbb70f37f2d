public import Foundation

/// A class whose initialisers may return a subclass, as in Foundation's class clusters.
public protocol MadeElsewhere {}

extension MadeElsewhere {
  init(made: Self) { self = made }
}

extension NSPredicate: MadeElsewhere {}
extension NSSortDescriptor: MadeElsewhere {}
