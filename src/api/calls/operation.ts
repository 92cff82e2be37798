import * as z from "zod/mini";
import type { $ZodType, output } from "zod/v4/core";
import type { ApiError, StatusError } from "../errors";

/** The request of an API operation, and the schema of its response. */
export interface Endpoint<
  Template extends string = string,
  Parameters extends $ZodType = $ZodType,
  Answer extends $ZodType = $ZodType,
> {
  /** One line for the documentation. */
  readonly summary: string;
  /** The section of the specification, if it is not that of the area. */
  readonly section?: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to `/api/v4`; `:name` marks an argument. */
  readonly path: Template;
  /** The query of a GET; the JSON body of any other method. */
  readonly parameters?: Parameters;
  /** The schema of the response; absent without a body: then a response with one has an unknown outcome. */
  readonly answer?: Answer;
  /** Whether the response is the content of a file. `answer` is then `bytes`. */
  readonly isRaw?: true;
  /** The statuses of success. Default: 200 for a read, 200 or 201 for a change, and 204 for a change without a body. */
  readonly success?: readonly number[];
  /** Whether a response is about the object that was asked for. Absent where the response names none. */
  isAbout?(answer: output<Answer>, given: Arguments): boolean;
  /**
   * Whether the operation is idempotent: GET and DELETE always are; a PUT must declare it. A client with `repeatWrites` retries
   * such a change after a lost response; plan and apply retry only a GET, and the framework verifies a change.
   */
  readonly isRepeatable?: boolean;
  /**
   * Whether it is sent before the requests that wait. The look-up of a container is: all reads of its objects wait for the response.
   */
  readonly isUrgent?: boolean;
  /**
   * For a change after which callers go on without reading its response: the response in a rehearsal, in which no change is
   * sent. Without it, a rehearsal ends with the change.
   */
  readonly rehearsed?: (given: Arguments) => output<Answer>;
  /** Returns a more precise error than a refusal, if `ask`, which sends further requests, finds out more. */
  readonly explain?: (
    problem: StatusError,
    ask: (operation: Operation, given: Arguments) => Promise<unknown>,
  ) => Promise<ApiError | undefined>;
}

/** The schema of the content of a file. */
export const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** The name of an operation. */
export interface Named {
  /** The name that callers use: `protectedEnvironments.protect`. */
  readonly name: string;
  /** The section of the specification that describes it. */
  readonly section: string;
}

/** One API operation: the single declaration behind the client and its documentation. */
export type Operation<Answer extends $ZodType = $ZodType> = Endpoint<string, $ZodType, Answer> & Named;

export interface ListEndpoint<
  Template extends string = string,
  Parameters extends $ZodType = $ZodType,
  Item extends $ZodType = $ZodType,
> extends Endpoint<Template, Parameters, Item> {
  /** The schema of a record. */
  readonly answer: Item;
  /** The schema of a page, made once: what reads its values is made from it. */
  readonly records: z.ZodMiniArray<Item>;
  /** The pagination; `none` if the API has no pages for it, and the response is the complete list. */
  readonly pagination: "offset" | "keyset" | "none";
  /** Identifies a record, to detect a list that changes while it is read. */
  key(record: output<Item>): string | number;
}

/** An operation that returns a list. */
export type ListOperation<Item extends $ZodType = $ZodType> = ListEndpoint<string, $ZodType, Item> & Named;

type Declared<E extends Endpoint> = Omit<E, "method" | "path">;

/**
 * Declares an operation by its method and path in the form of the specification: `DELETE /projects/:project/pages`.
 */
export function operation<
  const Template extends string,
  Parameters extends $ZodType = $ZodType<undefined>,
  Answer extends $ZodType = $ZodType<undefined>,
>(
  route: `${Endpoint["method"]} ${Template}`,
  declared: Declared<Endpoint<Template, Parameters, Answer>>,
): Endpoint<Template, Parameters, Answer> {
  const [method, path] = route.split(" ") as [Endpoint["method"], Template];
  return { method, path, ...declared };
}

/** Declares a list by its path: it is read by GET, in pages with offsets unless it says otherwise. */
export const listOperation = <
  const Template extends string,
  Item extends $ZodType,
  Parameters extends $ZodType = $ZodType<undefined>,
>(
  path: Template,
  declared: Omit<Declared<ListEndpoint<Template, Parameters, Item>>, "records" | "pagination" | "key"> &
    Partial<Pick<ListEndpoint, "pagination">> &
    KeyOf<output<Item>>,
): ListEndpoint<Template, Parameters, Item> => ({
  method: "GET",
  path,
  pagination: "offset",
  records: z.array(declared.answer),
  key: (record) => (record as { readonly id: number }).id,
  ...declared,
});

/** Returns the key of a record without an id. */
type KeyOf<Output> = [Output] extends [{ readonly id: number }]
  ? { key?(record: Output): string | number }
  : { key(record: Output): string | number };

/** A numeric id, or a full path such as `group/project`. */
export type Reference = number | string;

/** Options of any call. */
export interface CallOptions {
  /** Cancels the call: nothing more is sent, and it fails with the code `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

/** The arguments of a call: the values for the placeholders of its path, and its query or body. */
export interface Arguments {
  readonly path: Readonly<Record<string, Reference>>;
  readonly parameters?: unknown;
}

/** Whether a response has the id that the path has; a path in its place can't be compared, since objects move. */
export const hasAskedId =
  (key: string) =>
  ({ id }: { readonly id: number }, { path }: Arguments): boolean =>
    !/^\d+$/.test(String(path[key])) || id === Number(path[key]);

/** A parameter of a call. */
export const parameterOf = ({ parameters }: Arguments, name: string): unknown =>
  (parameters as Readonly<Record<string, unknown>> | undefined)?.[name];

export const isRepeatable = (declared: Pick<Operation, "method" | "isRepeatable">): boolean =>
  declared.isRepeatable ?? (declared.method === "GET" || declared.method === "DELETE");
