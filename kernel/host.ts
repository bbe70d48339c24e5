/**
 * What the kernel asks the side that has strings: each seldom, a few times a page.
 *
 *   fillLetters   256 characters into a block of memory
 *   readReference a character reference that isn't one of the usual few
 *   noteTag       a tag that says something about the page, its attributes read
 *   isSharedDiv   whether a div's attributes name a menu, a sidebar or a footer
 */
export declare function fillLetters(nth: i32, block: i32): void;
export declare function readReference(at: i32, to: i32): i32;
export declare function noteTag(tag: i32, isQuiet: i32): i32;
export declare function isSharedDiv(from: i32, to: i32): i32;
