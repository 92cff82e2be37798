import type { $ZodType, input, output } from "zod/v4/core";
import type { RecordList } from "../../http";
import { pathKeys } from "./encoding";
import type { CallOptions, Endpoint, ListEndpoint, ListOperation, Operation, Reference } from "./operation";
import type { OperationSender } from "./operation-sender";
import { list } from "./pagination";

/** The arguments that methods take for the placeholders of a path. */
interface PathArgument {
  project: [project: Reference];
  group: [group: Reference];
  id: [id: Reference];
  /** The client knows it from its options. */
  templates_path: [];
  key: [key: string];
  rule: [rule: number];
  user: [user: number];
  target: [target: number];
  iid: [iid: number];
  note: [note: number];
  name: [name: string];
  email: [email: string];
  sha: [sha: string];
}

type PathArguments<Template extends string> = Template extends `${string}:${infer Key}/${infer Rest}`
  ? [...PathArgument[Key & keyof PathArgument], ...PathArguments<`/${Rest}`>]
  : Template extends `${string}:${infer Key}`
    ? PathArgument[Key & keyof PathArgument]
    : [];

/** Operations without parameters declare a schema of anything. */
type Required<Params extends $ZodType> = unknown extends input<Params> ? [] : [parameters: input<Params>];
type Optional<Params extends $ZodType> = unknown extends input<Params> ? [] : [parameters?: input<Params>];

/** Takes the arguments of the path in its order, then the parameters, then options. */
export type Method<Declared> =
  Declared extends ListEndpoint<infer Template, infer Params, infer Item>
    ? (
        ...given: [...PathArguments<Template>, ...Optional<Params>, options?: CallOptions]
      ) => RecordList<output<Item>>
    : Declared extends Endpoint<infer Template, infer Params, infer Answer>
      ? (
          ...given: [...PathArguments<Template>, ...Required<Params>, options?: CallOptions]
        ) => Promise<output<Answer>>
      : never;

type Endpoints = Readonly<Record<string, Endpoint>>;

/** A method for each operation of an area, under the same name. */
export type Methods<Declared extends Endpoints> = {
  readonly [Key in keyof Declared]: Method<Declared[Key]>;
};

/** One part of the interface: its operations, and what a client has of it. Each file of `areas/` exports one under its own name. */
export interface Area<Members extends object> {
  /** All that `client` may send. Checks of requests and answers, and the page of operations, walk over them. */
  readonly operations: readonly (Operation | ListOperation)[];
  /** The members of the client, by name. Names are unique among all areas. */
  readonly client: (sender: OperationSender) => Members;
}

/**
 * Declares an area. The client gets a method for each operation, with its docstring; `own` replaces those that take or
 * return something else.
 *
 * @param name the member of the client; with the operation's key it is the name of the operation
 * @param section the section of the specification that describes the operations
 */
export function defineArea<
  const Name extends string,
  Declared extends Endpoints,
  Own extends object = object,
>(
  name: Name,
  section: string,
  declared: Declared,
  own?: (methods: Methods<Declared>) => Own,
): Area<{ readonly [Key in Name]: Omit<Methods<Declared>, keyof Own> & Own }> {
  const operations = Object.entries(declared).map(
    ([key, each]) => [key, { section, ...each, name: `${name}.${key}` }] as const,
  );
  return {
    operations: operations.map(([, operation]) => operation),
    client: (sender) => {
      const methods = Object.fromEntries(
        operations.map(([key, operation]) => [key, methodOf(sender, operation)]),
      ) as Methods<Declared>;
      return { [name]: { ...methods, ...own?.(methods) } } as ReturnType<
        Area<{ readonly [Key in Name]: Omit<Methods<Declared>, keyof Own> & Own }>["client"]
      >;
    },
  };
}

function methodOf(sender: OperationSender, operation: Operation | ListOperation) {
  const keys = pathKeys(operation.path).filter((key) => key !== "templates_path");
  return (...given: readonly unknown[]) => {
    const path = Object.fromEntries(keys.map((key, index) => [key, given[index] as Reference]));
    const [parameters, options] = operation.parameters
      ? given.slice(keys.length)
      : [undefined, given[keys.length]];
    return "pagination" in operation
      ? list(sender, operation, { path, parameters }, options as CallOptions)
      : sender.call(operation, { path, parameters }, options as CallOptions);
  };
}
