// Policy files may use Foundation's names with `import CoreData` alone, as on Apple's systems.
@_exported public import Foundation
