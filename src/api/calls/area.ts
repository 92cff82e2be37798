import type { IncomingHttpHeaders } from "node:http";
import type { $ZodType, input, output } from "zod/v4/core";
import {
  type Key,
  nextPageTarget,
  type Page,
  type PageReader,
  RecordList,
  readByKeyset,
  readByOffset,
} from "../../http";
import { type Parameters, pathKeys } from "./encoding";
import type {
  Arguments,
  CallOptions,
  Endpoint,
  ListEndpoint,
  ListOperation,
  Operation,
  Reference,
} from "./operation";
import type { OperationSender, Prepared } from "./operation-sender";
import { decodeResponse } from "./validate";

/** For each placeholder in an operation's path, the argument of the client's method. */
interface PathArgument {
  project: [project: Reference];
  group: [group: Reference];
  id: [id: Reference];
  /** The method has no argument for this placeholder, because the client takes the value from its options. */
  templates_path: [];
  key: [key: string];
  rule: [rule: number];
  user: [user: number];
  target: [target: number];
  iid: [iid: number];
  note: [note: number];
  pipeline: [pipeline: number];
  job: [job: number];
  file: [file: string];
  name: [name: string];
  email: [email: string];
  sha: [sha: string];
}

type PathArguments<Template extends string> = Template extends `${string}:${infer Key}/${infer Rest}`
  ? [...PathArgument[Key & keyof PathArgument], ...PathArguments<`/${Rest}`>]
  : Template extends `${string}:${infer Key}`
    ? PathArgument[Key & keyof PathArgument]
    : [];

/**
 * The argument of a method for parameters, as a tuple. The tuple is empty for an operation without parameters: its
 * schema accepts any value.
 */
type Required<Params extends $ZodType> = unknown extends input<Params> ? [] : [parameters: input<Params>];
type Optional<Params extends $ZodType> = unknown extends input<Params> ? [] : [parameters?: input<Params>];

/** A method of the client. The method takes the arguments of the path in order, then the parameters, then the options. */
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

/** The methods of an area: one for each operation, with the name of the operation. */
export type Methods<Declared extends Endpoints> = {
  readonly [Key in keyof Declared]: Method<Declared[Key]>;
};

/**
 * One area of the API: its operations, and the members that the area adds to the client. Each file in `areas/` exports
 * one area under its own name.
 */
export interface Area<Members extends object> {
  /**
   * All operations that the members of `client` can send. Steward checks requests and responses against these
   * operations, and generates the documentation from them.
   */
  readonly operations: readonly (Operation | ListOperation)[];
  /** Returns the members of the client, by name. Names are unique among all areas. */
  readonly client: (sender: OperationSender) => Members;
}

/**
 * Declares an area. The client gets a method for each operation, with the docstring of the operation. The methods in
 * `own` replace generated methods, for operations that need arguments or results of a different form.
 *
 * @param name the name of the client's member. The full name of an operation is the name of the member, a dot and the
 * operation's key.
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
  const operations = Object.entries(declared).map(([key, each]) => {
    const operation = { section, ...each, name: `${name}.${key}` };
    return { key, operation, pathArguments: pathArgumentsOf(operation) };
  });
  return {
    operations: operations.map(({ operation }) => operation),
    client: (sender) => {
      const methods = Object.fromEntries(
        operations.map(({ key, operation, pathArguments }) => [
          key,
          methodOf(sender, operation, pathArguments),
        ]),
      ) as Methods<Declared>;
      return { [name]: { ...methods, ...own?.(methods) } } as ReturnType<
        Area<{ readonly [Key in Name]: Omit<Methods<Declared>, keyof Own> & Own }>["client"]
      >;
    },
  };
}

/** Returns the placeholders of a path that the caller must fill, in the order of the path. */
const pathArgumentsOf = ({ path }: Operation | ListOperation): readonly string[] =>
  pathKeys(path).filter((key) => key !== "templates_path");

function methodOf(sender: OperationSender, operation: Operation | ListOperation, keys: readonly string[]) {
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

/**
 * The number of records that the client requests for each page: the maximum that the service allows. The client also
 * sends this number for lists without pages, where the service ignores the number. If a later release of the service
 * adds pages to these lists, the pages have the maximum size.
 */
const PER_PAGE = 100;

/**
 * The parameters of the first page. Every list with keyset pagination, except the list of groups, can be ordered by
 * id.
 */
const FIRST_PAGE: Readonly<Record<ListOperation["pagination"], Parameters>> = {
  offset: { per_page: PER_PAGE, page: 1 },
  keyset: { pagination: "keyset", per_page: PER_PAGE, order_by: "id", sort: "asc" },
  none: { per_page: PER_PAGE },
};

/**
 * Reads the list of an operation page by page (specification, "Common rules"). A page without a link to a next page
 * is the last page, even if it is full.
 */
function list<Item extends $ZodType>(
  sender: OperationSender,
  operation: ListOperation<Item>,
  given: Arguments,
  options: CallOptions = {},
): RecordList<output<Item>> {
  const { pagination } = operation;
  const prepare = (extra: Parameters) => sender.prepare(operation, given, options, extra);
  return new RecordList(
    () => pageReader(sender, operation, prepare),
    pagination === "keyset" ? readByKeyset : readByOffset,
    pagination === "offset" ? PER_PAGE : undefined,
  );
}

type HasId = { readonly id: number };

function pageReader<Item extends $ZodType>(
  sender: OperationSender,
  { records: schema, pagination, key }: ListOperation<Item>,
  prepare: (extra: Parameters) => Prepared,
): PageReader<output<Item>> {
  const start = FIRST_PAGE[pagination];
  const first = prepare(start);
  const read = async (prepared: Prepared, signal?: AbortSignal): Promise<Page<output<Item>>> => {
    const { info } = prepared;
    const { home, redact } = sender.settings;
    const answer = await sender.send(
      signal ? { ...prepared, signals: [...prepared.signals, signal] } : prepared,
    );
    const { headers } = answer;
    const records = decodeResponse(schema, answer, info, redact);
    const keys: Key[] = [];
    for (const record of records) keys.push(key === undefined ? (record as HasId).id : key(record));
    return {
      records,
      keys,
      next: nextPageTarget(headers, home, info, redact, numberedTarget(headers)),
      total: readCount(headers, "x-total"),
      totalPages: readCount(headers, "x-total-pages"),
    };
  };
  // Returns the target of the next page, from the page number in the headers. This function is needed if a proxy
  // has removed the link to the next page: without it, the list would end early.
  const numberedTarget = (headers: IncomingHttpHeaders): string | undefined => {
    const page = pagination === "keyset" ? undefined : readCount(headers, "x-next-page");
    return page === undefined ? undefined : prepare({ ...start, page }).request.target;
  };
  return {
    request: first.info,
    first: () => read(first),
    at: (target, signal) => read({ ...first, request: { ...first.request, target } }, signal),
    numbered: (page, signal) => read(prepare({ ...start, page }), signal),
  };
}

function readCount(headers: IncomingHttpHeaders, name: string): number | undefined {
  const text = headers[name];
  return typeof text === "string" && /^\d+$/.test(text) ? Number(text) : undefined;
}
