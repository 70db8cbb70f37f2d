// Policy files may use Foundation's names with `import CoreData` alone, as on Apple's systems.
@_exported public import Foundation

// A class that is re-exported by its name wins over one of the same name in a module that is imported whole. So
// NSExpression is this one in files with `import Foundation`, too, in either order.
@_exported public import class CoreDataExpressions.NSExpression
