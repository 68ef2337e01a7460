// The validator port: whether a schema can be used, and whether data fits one. Schemas are written by workers and data
// by users, so both are hostile; no call holds up the event loop, whatever it is given.

import type { AdmittedSchema, Refusal } from '@millrace/domain'

export interface Validator {
  /** Null: it compiles, and will do so again wherever it is needed. */
  admit(schema: AdmittedSchema): Promise<Refusal | null>

  /**
   * The values with the schema's defaults filled in, in their order, or why one of them does not fit: all or nothing.
   * What was handed in is never changed; for a schema without defaults the same objects come back.
   */
  validateAll(schema: AdmittedSchema, data: readonly unknown[]): Promise<readonly unknown[] | Refusal>

  close(): Promise<void>
}
