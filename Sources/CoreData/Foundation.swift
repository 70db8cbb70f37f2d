// Policy files may use Foundation's names with `import CoreData` alone, as on Apple's systems.
@_exported public import Foundation

// A class that is re-exported by its name wins over a class of the same name in a module that is imported whole. So
// `NSExpression` means this class, also in files with `import Foundation`, whatever the order of the imports.
@_exported public import class CoreDataExpressions.NSExpression
