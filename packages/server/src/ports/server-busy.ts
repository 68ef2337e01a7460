// The fault of a part that has more to do than it may let wait. The edge answers it with 503; nothing was begun.

export class ServerBusy extends Error {
  override readonly name = 'ServerBusy'
}
