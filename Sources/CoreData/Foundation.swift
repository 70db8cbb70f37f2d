// Policy files that say `import CoreData` alone use Foundation's names, as they may on Apple's systems.
@_exported public import Foundation
