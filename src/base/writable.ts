/** What is made field by field, before it is handed on as what never changes. */
export type Writable<T> = { -readonly [Field in keyof T]: T[Field] };
