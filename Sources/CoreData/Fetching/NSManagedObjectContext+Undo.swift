public import DecantPolicies
public import Foundation

/// An undo manager that undoes nothing; on Linux, Foundation has no undo manager.
///
/// Apps set a context's undo manager or remove its actions to save memory. Here such code compiles and has no effect.
open class UndoManager: NSObject {
  open var levelsOfUndo = 0
  open var groupsByEvent = true
  open var canUndo: Bool { false }
  open var canRedo: Bool { false }
  open var isUndoRegistrationEnabled: Bool { false }

  open func beginUndoGrouping() {}
  open func endUndoGrouping() {}
  open func disableUndoRegistration() {}
  open func enableUndoRegistration() {}
  open func removeAllActions() {}
  open func removeAllActions(withTarget target: Any) {}
  open func undo() {}
  open func redo() {}
}

extension ManagedObjectContext {
  /// Always nil, whatever is set.
  public var undoManager: UndoManager? {
    get { nil }
    set {}
  }
}
