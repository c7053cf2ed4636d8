/** What a schema of TypeBox without parts stands for, by its `~kind`. */
interface SimpleTypes {
  String: string
  Integer: number
  Number: number
  Boolean: boolean
  Null: null
}

/**
 * The type of the values that a schema accepts, for the kinds of schemas that the contract uses. That of TypeBox compares each schema with
 * thirty kinds, which takes the compiler several times as long. The test of the client's generated types compares all endpoints.
 */
export type Static<Schema> = Schema extends { '~unsafe': infer Value }
  ? Value
  : Schema extends { '~kind': infer Kind }
    ? Kind extends keyof SimpleTypes
      ? SimpleTypes[Kind]
      : StaticOfParts<Schema>
    : unknown

type StaticOfParts<Schema> = Schema extends { '~kind': 'Object'; properties: infer Properties }
  ? StaticObject<Properties>
  : Schema extends { '~kind': 'Array'; items: infer Item }
    ? Static<Item>[]
    : Schema extends { '~kind': 'Literal'; const: infer Value }
      ? Value
      : Schema extends { '~kind': 'Union'; anyOf: (infer Choice)[] }
        ? Static<Choice>
        : Schema extends { '~kind': 'Record'; patternProperties: infer Values }
          ? Record<string, Static<Values[keyof Values]>>
          : { unknownKindOfSchema: Schema }

type OptionalKeys<Properties> = {
  [Name in keyof Properties]: Properties[Name] extends { '~optional': true } ? Name : never
}[keyof Properties]

type StaticObject<Properties> = [OptionalKeys<Properties>] extends [never]
  ? StaticFields<Properties>
  : Flatten<
      StaticFields<Omit<Properties, OptionalKeys<Properties>>> &
        Partial<StaticFields<Pick<Properties, OptionalKeys<Properties>>>>
    >

type StaticFields<Properties> = { -readonly [Name in keyof Properties]: Static<Properties[Name]> }

type Flatten<T> = { [Name in keyof T]: T[Name] }
