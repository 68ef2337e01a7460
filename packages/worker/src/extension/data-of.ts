// The type of a job's data, read off its schema where the schema is a literal or comes from TypeBox. It covers what
// forms are made of; where it does not understand a schema the data is `unknown`, never something wrong.

export type DataOf<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer Option)[] }
      ? DataOf<Option>
      : Schema extends { readonly oneOf: readonly (infer Option)[] }
        ? DataOf<Option>
        : Schema extends { readonly type: readonly (infer Type)[] }
          ? OfType<Type, Schema>
          : Schema extends { readonly type: infer Type }
            ? OfType<Type, Schema>
            : unknown

type OfType<Type, Schema> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? readonly ItemOf<Schema>[]
          : Type extends 'object'
            ? ObjectOf<Schema>
            : unknown

type ItemOf<Schema> = Schema extends { readonly items: infer Items } ? DataOf<Items> : unknown

type ObjectOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? Flat<
      { readonly [Name in Present<Schema, Properties>]: DataOf<Properties[Name]> } & {
        readonly [Name in Exclude<keyof Properties, Present<Schema, Properties>>]?: DataOf<Properties[Name]>
      }
    >
  : Readonly<Record<string, unknown>>

/** What is required is there, and so is what has a default: the server fills it in before it assigns the job. */
type Present<Schema, Properties> =
  | (Schema extends { readonly required: readonly (infer Name)[] } ? Extract<keyof Properties, Name> : never)
  | {
      [Name in keyof Properties]: Properties[Name] extends { readonly default: unknown } ? Name : never
    }[keyof Properties]

type Flat<Shape> = { [Name in keyof Shape]: Shape[Name] }
