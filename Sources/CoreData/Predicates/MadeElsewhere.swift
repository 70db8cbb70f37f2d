public import Foundation

/// A class whose initialisers can give an object of a class below it, as Foundation's class clusters do.
public protocol MadeElsewhere {}

extension MadeElsewhere {
  init(made: Self) { self = made }
}

extension NSPredicate: MadeElsewhere {}
extension NSSortDescriptor: MadeElsewhere {}
