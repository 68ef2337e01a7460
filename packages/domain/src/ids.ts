// Branded ids: strings that cannot be mixed up. Made at the edge (UUIDv7, so ids sort by time), only compared here.

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

export type JobId = Branded<'JobId'>
export type RoomName = Branded<'RoomName'>
export type WorkerId = Branded<'WorkerId'>
export type UserName = Branded<'UserName'>
export type AttemptToken = Branded<'AttemptToken'>
export type SchemaHash = Branded<'SchemaHash'>
export type SessionId = Branded<'SessionId'>
