// Apple's module re-exports Foundation. Nothing else of it is here: a file that imports UIKit and uses nothing of it
// compiles.
@_exported public import Foundation
