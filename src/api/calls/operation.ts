import * as z from "zod/mini";
import type { $ZodType, output } from "zod/v4/core";
import type { ApiError, StatusError } from "../errors";

/** The request of an API operation, and the schema of its response. */
export interface Endpoint<
  Template extends string = string,
  Parameters extends $ZodType = $ZodType,
  Answer extends $ZodType = $ZodType,
> {
  /** A one-line summary for the documentation. */
  readonly summary: string;
  /** The section of the specification, if it differs from the section of the area. */
  readonly section?: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path, relative to `/api/v4`. `:name` marks an argument. */
  readonly path: Template;
  /** The query of a GET, or the JSON body of any other method. */
  readonly parameters?: Parameters;
  /**
   * The schema of the response. If the schema is absent, the response must have no body. If a change without
   * `answer` gets a response with a body, the outcome of the change is unknown.
   */
  readonly answer?: Answer;
  /** Whether the response is the content of a file. `answer` is then `bytes`. */
  readonly isRaw?: true;
  /**
   * The HTTP statuses of success. Default: 200 for a read, 200 or 201 for a change, and 204 for a change without a
   * body.
   */
  readonly success?: readonly number[];
  /** Returns whether a response is about the requested object. Absent if the response names no object. */
  isAbout?(answer: output<Answer>, given: Arguments): boolean;
  /**
   * Whether the operation is idempotent. GET and DELETE are always idempotent; a PUT must set this flag. A client with
   * `repeatWrites` sends an idempotent change again after a lost response. The clients of plan and apply repeat only
   * GET requests, because the framework reads the outcome of changes.
   */
  readonly isRepeatable?: boolean;
  /**
   * Whether the client sends the request before other waiting requests. The look-up of a container is urgent, because
   * all reads of the container's objects wait for the look-up.
   */
  readonly isUrgent?: boolean;
  /**
   * Returns the response in a rehearsal, in which no change is sent. The function is set for changes whose callers
   * do not need the real response. Without this function, the rehearsal ends after the change, because the caller
   * needs the real response.
   */
  readonly rehearsed?: (given: Arguments) => output<Answer>;
  /**
   * Sends additional requests to explain a refusal. Returns a more precise error; undefined if there is none. `ask`
   * sends the additional requests.
   */
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
  /** The section of the specification that describes the operation. */
  readonly section: string;
}

/** One API operation. The client's method and the documentation are derived from the operation. */
export type Operation<Answer extends $ZodType = $ZodType> = Endpoint<string, $ZodType, Answer> & Named;

export interface ListEndpoint<
  Template extends string = string,
  Parameters extends $ZodType = $ZodType,
  Item extends $ZodType = $ZodType,
> extends Endpoint<Template, Parameters, Item> {
  /** The schema of one record of the list. */
  readonly answer: Item;
  /**
   * The schema of a page of the list. The schema is created once for each operation, because `readerOf` creates a
   * reader for each schema object.
   */
  readonly records: z.ZodMiniArray<Item>;
  /** The kind of pagination. `none` means that the API has no pages, so one response is the complete list. */
  readonly pagination: "offset" | "keyset" | "none";
  /**
   * Returns the key of a record. The keys show whether the list changes while the client reads the list. Default: the
   * record's id.
   */
  key?(record: output<Item>): string | number;
}

/** An operation that returns a list. */
export type ListOperation<Item extends $ZodType = $ZodType> = ListEndpoint<string, $ZodType, Item> & Named;

type Declared<E extends Endpoint> = Omit<E, "method" | "path">;

/**
 * Declares an operation. The method and the path have the form of the specification: `DELETE
 * /projects/:project/pages`.
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

/**
 * Declares a list by its path. The client reads the list by GET. By default, the list has offset pagination.
 */
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
  ...declared,
});

/** The member `key`, required for lists whose records have no id. */
type KeyOf<Output> = [Output] extends [{ readonly id: number }]
  ? { key?(record: Output): string | number }
  : { key(record: Output): string | number };

/** A numeric id, or a full path such as `group/project`. */
export type Reference = number | string;

/** Options of any call. */
export interface CallOptions {
  /**
   * A signal that cancels the call. After this signal, the client sends nothing more, and the call fails with the code
   * `cancelled`.
   */
  readonly signal?: AbortSignal | undefined;
}

/** The arguments of a call: the values for the placeholders of its path, and its query or body. */
export interface Arguments {
  readonly path: Readonly<Record<string, Reference>>;
  readonly parameters?: unknown;
}

/**
 * Returns a function that checks whether a response has the id that the request contains. If the request contains a
 * path, the function accepts every response, because the object may have moved.
 */
export const hasAskedId =
  (key: string) =>
  ({ id }: { readonly id: number }, { path }: Arguments): boolean =>
    !/^\d+$/.test(String(path[key])) || id === Number(path[key]);

/** Returns the value of one parameter of a call. */
export const parameterOf = ({ parameters }: Arguments, name: string): unknown =>
  (parameters as Readonly<Record<string, unknown>> | undefined)?.[name];

export const isRepeatable = (declared: Pick<Operation, "method" | "isRepeatable">): boolean =>
  declared.isRepeatable ?? (declared.method === "GET" || declared.method === "DELETE");
