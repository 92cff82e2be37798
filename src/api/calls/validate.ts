import {
  type $ZodIssue,
  type $ZodObjectDef,
  type $ZodPipeDef,
  type $ZodTransformDef,
  type $ZodType,
  type output,
  safeParse,
} from "zod/v4/core";
import { formatPath, type PathStep } from "../../diagnostics";
import {
  ArgumentError,
  encodingOf,
  excerptOf,
  type HttpResponse,
  isPage,
  type RequestInfo,
  readJson,
  textOf,
  unreadableAnswer,
} from "../../http";
import type { Arguments, Operation } from "./operation";

/** The result of a reader if the schema refuses the value. */
export const REFUSED = Symbol("refused");

/** A function that converts a JSON value by a schema, or returns `REFUSED`. */
type Reader = (value: unknown) => unknown;

const readers = new WeakMap<$ZodType, Reader>();

/**
 * Returns a reader for the values of a schema. The reader gives no reasons for a refusal. The reader is faster than
 * zod, which creates a result for each nested value. Schemas without a reader in this file still use zod.
 */
export function readerOf(schema: $ZodType): Reader {
  const known = readers.get(schema);
  if (known !== undefined) return known;
  const made = make(schema);
  readers.set(schema, made);
  return made;
}

/** The parts of zod's definitions that the readers use. */
interface Definition {
  readonly type: string;
  readonly checks?: readonly unknown[];
  readonly coerce?: boolean;
  readonly format?: string;
  readonly innerType?: $ZodType;
  readonly element?: $ZodType;
  readonly defaultValue?: unknown;
}

function make(schema: $ZodType): Reader {
  const def = schema._zod.def as Definition;
  if ((def.checks?.length ?? 0) > 0 || def.coerce === true) return byZod(schema);
  switch (def.type) {
    case "string":
      return def.format === undefined
        ? (value) => (typeof value === "string" ? value : REFUSED)
        : byZod(schema);
    case "boolean":
      return (value) => (typeof value === "boolean" ? value : REFUSED);
    case "number":
      if (def.format === "safeint") return (value) => (Number.isSafeInteger(value) ? value : REFUSED);
      return def.format === undefined ? (value) => (Number.isFinite(value) ? value : REFUSED) : byZod(schema);
    case "nullable":
      return orElse(null, readerOf(def.innerType!));
    case "optional":
      return def.innerType!._zod.optin === "defaulted"
        ? byZod(schema)
        : orElse(undefined, readerOf(def.innerType!));
    case "default":
      return withDefault(def, readerOf(def.innerType!));
    case "array":
      return listReader(readerOf(def.element!));
    case "object":
      return (def as $ZodObjectDef).catchall === undefined
        ? objectReader((def as $ZodObjectDef).shape)
        : byZod(schema);
    case "pipe":
      return pipeReader(def as unknown as $ZodPipeDef) ?? byZod(schema);
    default:
      return byZod(schema);
  }
}

const byZod =
  (schema: $ZodType): Reader =>
  (value) => {
    const result = safeParse(schema, value);
    return result.success ? result.data : REFUSED;
  };

const orElse =
  (allowed: null | undefined, read: Reader): Reader =>
  (value) =>
    value === allowed ? value : read(value);

/**
 * Returns a reader that replaces a missing value by the schema's default. Each use reads the default again, because zod
 * computes the default at each access.
 */
const withDefault =
  (def: Definition, read: Reader): Reader =>
  (value) => {
    const found = value === undefined ? undefined : read(value);
    return found === undefined ? def.defaultValue : found;
  };

function listReader(read: Reader): Reader {
  return (value) => {
    if (!Array.isArray(value)) return REFUSED;
    const found = new Array<unknown>(value.length);
    for (let index = 0; index < value.length; index += 1) {
      const element = read(value[index]);
      if (element === REFUSED) return REFUSED;
      found[index] = element;
    }
    return found;
  };
}

function objectReader(shape: Readonly<Record<string, $ZodType>>): Reader {
  const names = Object.keys(shape);
  const fields = names.map((name) => readerOf(shape[name]!));
  const isLeftOut = (name: string): boolean => shape[name]!._zod.optout === "optional";
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return REFUSED;
    const given = value as Readonly<Record<string, unknown>>;
    const found: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index]!;
      const one = given[name];
      // If `optin` is undefined, the field is required.
      if (one === undefined && shape[name]!._zod.optin === undefined) return REFUSED;
      const field = fields[index]!(one);
      if (field === REFUSED) return REFUSED;
      if (field !== undefined || name in given || !isLeftOut(name)) found[name] = field;
    }
    return found;
  };
}

/** Returns a reader for a schema that converts values; undefined if only zod can convert them. */
function pipeReader({ in: inner, out }: $ZodPipeDef): Reader | undefined {
  const { type, transform } = out._zod.def as unknown as $ZodTransformDef;
  // A conversion with a second parameter may refuse a value. Zod handles such a conversion, because this reader
  // can't.
  if (type !== "transform" || transform.length > 1) return undefined;
  const read = readerOf(inner);
  const convert = transform as (value: unknown) => unknown;
  return (value) => {
    const found = read(value);
    return found === REFUSED ? REFUSED : convert(found);
  };
}

/**
 * Parses a response body as JSON and validates it.
 *
 * @throws UnexpectedAnswerError `unexpected_answer`, which names the operation, the field and its value
 */
export function decodeResponse<Schema extends $ZodType>(
  schema: Schema,
  answer: HttpResponse,
  request: RequestInfo,
  redact: (text: string) => string,
): output<Schema> {
  const parsed = readJson(answer, request, redact);
  if (isAnotherRecord(parsed, schema)) {
    const shown = excerptOf(redact)(JSON.stringify(parsed));
    throw unreadableAnswer(answer, request, `the response has none of the documented fields: ${shown}`);
  }
  const read = readerOf(schema)(parsed);
  if (read !== REFUSED) return read as output<Schema>;
  const result = safeParse(schema, parsed);
  if (result.success) return result.data;
  const why = explain(result.error.issues, parsed, excerptOf(redact));
  throw unreadableAnswer(answer, request, `the response has an unexpected shape: ${why}`);
}

/**
 * Returns whether an object has none of the schema's fields. An object without any of these fields is an error
 * response, or a record of another kind. If all fields of a schema are optional, the schema itself would accept any
 * object.
 */
function isAnotherRecord(parsed: unknown, schema: $ZodType): boolean {
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return false;
  const names = Object.keys(shapeOf(schema) ?? {});
  return names.length > 0 && !names.some((name) => name in parsed);
}

/**
 * Returns the fields of an object schema; undefined for any other schema. If the schema converts the object, the result
 * contains the fields before the conversion.
 */
function shapeOf(schema: $ZodType): $ZodObjectDef["shape"] | undefined {
  const def = schema._zod.def as Definition & { readonly in?: $ZodType };
  if (def.type === "pipe") return shapeOf(def.in!);
  return def.type === "object" ? (def as unknown as $ZodObjectDef).shape : undefined;
}

/**
 * Validates the parameters of a call before the client sends the call.
 *
 * @throws ArgumentError `invalid_argument`
 */
export function checkParameters<Schema extends $ZodType>(
  schema: Schema,
  parameters: unknown,
  request: RequestInfo,
  redact: (text: string) => string,
): output<Schema> {
  const result = safeParse(schema, parameters);
  if (result.success) return result.data;
  throw new ArgumentError({
    code: "invalid_argument",
    request,
    what: `invalid arguments: ${explain(result.error.issues, parameters, excerptOf(redact))}`,
  });
}

function explain(issues: readonly $ZodIssue[], value: unknown, show: (text: string) => string): string {
  const explained = issues.slice(0, 3).map((issue) => {
    const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
    return `${formatPath(path) || "the value"} should be ${describeExpected(issue, show)}, but it is ${describeActual(value, path, show)}`;
  });
  const others = issues.length - explained.length;
  return explained.join("; ") + (others > 0 ? `; and ${others} more` : "");
}

// Describes the expected value of a field. The messages of zod are not used, because zod's language pack takes as long
// to load as zod itself.
function describeExpected(issue: $ZodIssue, show: (text: string) => string): string {
  if (issue.code === "invalid_type") return TYPE_NAMES[issue.expected] ?? issue.expected;
  if (issue.code === "invalid_value") return issue.values.map((value) => JSON.stringify(value)).join(" or ");
  if (issue.code === "unrecognized_keys") return `without ${show(issue.keys.join(", "))}`;
  if (issue.code === "custom" && issue.message) return issue.message;
  return "of another type";
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: "a whole number",
  string: "text",
  number: "a number",
};

function describeActual(value: unknown, path: readonly PathStep[], show: (text: string) => string): string {
  const found = path.reduce<unknown>(
    (inner, step) =>
      typeof inner === "object" && inner !== null ? (inner as Record<PathStep, unknown>)[step] : undefined,
    value,
  );
  return found === undefined ? "missing" : show(JSON.stringify(found));
}

/** The part of an operation that describes the responses. */
type Expected = Pick<Operation, "method" | "answer" | "success" | "isAbout">;

/** The HTTP statuses of a successful read, unless an operation declares other statuses. */
const READ = [200];
const WRITE = [200, 201];
const WRITE_WITHOUT_BODY = [200, 201, 204];

export function successStatuses({ method, answer, success }: Expected): readonly number[] {
  if (success !== undefined) return success;
  if (method === "GET") return READ;
  return answer === undefined ? WRITE_WITHOUT_BODY : WRITE;
}

/**
 * Checks that a successful response has an expected status. If the operation has no response body, the function also
 * checks that the body is empty. A sign-in page must not count as a successful change.
 *
 * @throws UnexpectedAnswerError `unexpected_answer`
 */
export function expectSuccess(operation: Expected, answer: HttpResponse, request: RequestInfo): void {
  const { status } = answer;
  if (!successStatuses(operation).includes(status)) {
    throw unreadableAnswer(answer, request, `the response has an unexpected status, ${status}`);
  }
  if (operation.answer === undefined && textOf(answer).trim() !== "") {
    const type = isPage(answer) ? "an HTML page" : "a body";
    throw unreadableAnswer(answer, request, `the response (${status}) has ${type}, but must be empty`);
  }
}

/**
 * Returns the content of a file from a response. Refuses an HTML page of a proxy. @throws UnexpectedAnswerError
 * `unexpected_answer`
 */
export function expectFile(answer: HttpResponse, request: RequestInfo): Uint8Array {
  if (encodingOf(answer) !== undefined)
    throw unreadableAnswer(answer, request, "the file is compressed, which was not requested");
  if (isPage(answer)) throw unreadableAnswer(answer, request, "the response is an HTML page and no file");
  return answer.body;
}

/** Checks that a response is about the requested object. @throws UnexpectedAnswerError `unexpected_answer` */
export function expectAsked<Answer>(
  { isAbout }: Expected,
  decoded: Answer,
  given: Arguments,
  answer: HttpResponse,
  request: RequestInfo,
  redact: (text: string) => string,
): Answer {
  if (isAbout === undefined || isAbout(decoded as never, given)) return decoded;
  const shown = excerptOf(redact)(textOf(answer));
  throw unreadableAnswer(answer, request, `the response is about another object: ${shown}`);
}
