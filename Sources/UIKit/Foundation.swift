// Apple's module re-exports Foundation. This module has nothing else, so a file that imports UIKit compiles only if it
// uses no type of UIKit.
@_exported public import Foundation
