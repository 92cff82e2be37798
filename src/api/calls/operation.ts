import type { $ZodType, input, output } from "zod/v4/core";
import type { PathArguments } from "./encoding";

/** What is known of one operation of the interface: the one place that the client and the documentation read. */
export interface Operation<
  Template extends string = string,
  Parameters extends $ZodType = $ZodType,
  Answer extends $ZodType = $ZodType,
> {
  /** As a caller knows it: `protectedEnvironments.protect`. */
  readonly name: string;
  /** One line for the documentation. */
  readonly summary: string;
  /** The section of the specification that describes it. */
  readonly section: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to `/api/v4`; `:name` marks an argument. */
  readonly path: Template;
  /** Sent as the query of a GET, and as the JSON body of everything else. */
  readonly parameters?: Parameters;
  /** The shape of the answer; left out where it has no body. */
  readonly answer?: Answer;
  /**
   * Whether sending it twice is the same as sending it once, so that it may be repeated after a lost answer.
   * GET and DELETE always are; a PUT says it for itself.
   */
  readonly repeatable?: boolean;
}

/** An operation that answers a list. */
export interface ListOperation<
  Template extends string = string,
  Parameters extends $ZodType = $ZodType,
  Item extends $ZodType = $ZodType,
> extends Operation<Template, Parameters, Item> {
  /** The shape of one record. */
  readonly answer: Item;
  /** How its pages follow one another; `none` where the interface gives it none, and the answer is the whole list. */
  readonly pagination: "offset" | "keyset" | "none";
  /** What tells one record from another, to notice a list that changes while it is read. */
  key(record: output<Item>): string | number;
}

/** Declares an operation; only the types are its work. */
export const operation = <
  Template extends string,
  Parameters extends $ZodType = $ZodType<undefined>,
  Answer extends $ZodType = $ZodType<undefined>,
>(
  declared: Operation<Template, Parameters, Answer>,
): Operation<Template, Parameters, Answer> => declared;

/** Declares an operation that answers a list. */
export const listOperation = <
  Template extends string,
  Item extends $ZodType,
  Parameters extends $ZodType = $ZodType<undefined>,
>(
  declared: ListOperation<Template, Parameters, Item>,
): ListOperation<Template, Parameters, Item> => declared;

/** A numeric id, or a full path such as `group/project`. */
export type Reference = number | string;

/** What any single call can be given. */
export interface CallOptions {
  /** Cancels this call: nothing more is sent for it, and it ends with the code `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

/** The arguments of one call: those in the path and those in query or body. */
export type Arguments<Template extends string, Parameters extends $ZodType> = {
  readonly path: PathArguments<Template>;
  readonly parameters?: input<Parameters> | undefined;
};

export const isRepeatable = (declared: Pick<Operation, "method" | "repeatable">): boolean =>
  declared.repeatable ?? (declared.method === "GET" || declared.method === "DELETE");
