import { type Service, startService } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import { z } from "zod";
import { runs, seed } from "../../support/capabilities";
import { company, tokenOf } from "../company";

type Schema = { readonly [key: string]: unknown };
interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly schema: Schema;
}
interface Operation {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: Schema } } };
  readonly responses: Readonly<
    Record<string, { $ref?: string; content?: { "application/json": { schema: Schema } } }>
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, { content: { "application/json": { schema: Schema } } }>>;
  };
}

/**
 * The number of requests to one service. Then a new service starts, because all requests after a deletion can get 404.
 */
const REQUESTS_EACH = 50;

const IDS = [1, 2, 3, 4, 5, 6, 11, 14, 15, 16, 21, 22, 100, 101, 102, 103];
const TEXTS = [
  "acme/web",
  "acme",
  "production",
  "Go",
  "a@example.com",
  "outsider@example.com",
  "acme/*",
  "2999-12-31",
  "",
];

const sometimes = <T, U>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 20, arbitrary: usual }, { weight: 1, arbitrary: rare });

/** Generates values for a schema. Most values are valid. */
function valuesOf(schema: Schema, document: Document): fc.Arbitrary<unknown> {
  const reference = schema["$ref"] as string | undefined;
  if (reference !== undefined)
    return valuesOf(document.components.schemas[reference.split("/").at(-1)!]!, document);
  const options = (schema["anyOf"] ?? schema["oneOf"]) as Schema[] | undefined;
  if (options !== undefined) return fc.oneof(...options.map((option) => valuesOf(option, document)));
  if (schema["const"] !== undefined) return sometimes(fc.constant(schema["const"]), fc.jsonValue());
  const words = schema["enum"] as unknown[] | undefined;
  if (words !== undefined) return sometimes(fc.constantFrom(...words), fc.string());
  switch (Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"]) {
    case "integer":
    case "number":
      return sometimes(
        fc.constantFrom(...IDS, 0, 30, 40, 60),
        fc.oneof(fc.integer(), fc.double(), fc.string()),
      );
    case "boolean":
      return sometimes(fc.boolean(), fc.jsonValue());
    case "array":
      return sometimes(
        fc.array(valuesOf(schema["items"] as Schema, document), { maxLength: 3 }),
        fc.jsonValue(),
      );
    case "object":
      return fc.oneof(
        { weight: 5, arbitrary: fc.record(fieldsOf(schema, document), { requiredKeys: required(schema) }) },
        { weight: 1, arbitrary: fc.record(fieldsOf(schema, document), { requiredKeys: [] }) },
      );
    default:
      return sometimes(fc.constantFrom(...TEXTS), fc.oneof(fc.string(), fc.jsonValue()));
  }
}

const required = (schema: Schema): string[] => (schema["required"] ?? []) as string[];

const fieldsOf = (schema: Schema, document: Document): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(
    Object.entries((schema["properties"] ?? {}) as Record<string, Schema>).map(([name, field]) => [
      name,
      valuesOf(field, document),
    ]),
  );

interface Sent {
  readonly method: string;
  readonly pattern: string;
  readonly path: string;
  readonly token: string | undefined;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
  readonly asForm: boolean;
}

const TOKENS = [
  "admin",
  undefined,
  "unknown",
  ...["guest", "developer", "maintainer", "owner", "outsider"].map(tokenOf),
];

function requestsOf(document: Document): fc.Arbitrary<Sent> {
  const all = Object.entries(document.paths)
    .filter(([pattern]) => !pattern.endsWith("/faults"))
    .flatMap(([pattern, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ pattern, method, operation })),
    );
  return fc.constantFrom(...all).chain(({ pattern, method, operation }) => {
    const within = (place: "path" | "query") =>
      Object.fromEntries(
        operation.parameters
          .filter((one) => one.in === place)
          .map((one) => [one.name, valuesOf(one.schema, document)]),
      );
    const body = operation.requestBody?.content["application/json"].schema;
    return fc.record({
      method: fc.constant(method.toUpperCase()),
      pattern: fc.constant(pattern),
      path: fc
        .record(within("path"))
        .map((values) =>
          pattern.replace(/\{(\w+)\}/g, (_, name: string) =>
            encodeURIComponent(wellFormed(textOf(values[name])) || "-"),
          ),
        ),
      token: fc.oneof(
        { weight: 3, arbitrary: fc.constant("admin") },
        { weight: 1, arbitrary: fc.constantFrom(...TOKENS) },
      ),
      query: fc.record(within("query"), { requiredKeys: [] }),
      body: body === undefined ? fc.constant(undefined) : valuesOf(body, document),
      asForm: fc.boolean(),
    });
  });
}

/** Writes a value for a path. A value that is not a text becomes JSON. */
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "-");

const wellFormed = (text: string): string => text.replace(/[\uD800-\uDFFF]/g, "?").replace(/^\.+$/, "dots");

/** Writes values as the fields of a form. Nested values have names such as `name[key]`. */
function form(value: unknown, name = ""): [string, string][] {
  if (typeof value !== "object" || value === null) return [[name, wellFormed(textOf(value))]];
  return Object.entries(value).flatMap(([key, field]) => form(field, name === "" ? key : `${name}[${key}]`));
}

const query = (value: unknown): string => new URLSearchParams(form(value)).toString();

async function answerOf(service: Service, sent: Sent): Promise<{ status: number; text: string }> {
  const { method, path, token, body, asForm } = sent;
  const write = asForm ? query : JSON.stringify;
  const text = body === undefined ? undefined : write(body);
  const asked = Object.keys(sent.query).length === 0 ? "" : `?${query(sent.query)}`;
  const response = await fetch(`${service.url}${path}${asked}`, {
    method,
    redirect: "manual",
    // If the service sends no response, this test fails, and the other tests of the suite still run.
    signal: AbortSignal.timeout(600_000),
    headers: {
      ...(token === undefined ? {} : { "private-token": token === "admin" ? service.adminToken : token }),
      ...(text === undefined
        ? {}
        : { "content-type": asForm ? "application/x-www-form-urlencoded" : "application/json" }),
    },
    ...(text === undefined ? {} : { body: text }),
  });
  return { status: response.status, text: await response.text() };
}

/** Returns a function that compares responses with the schemas in the OpenAPI document. */
function judge(document: Document): (sent: Sent, answer: { status: number; text: string }) => void {
  const known = new Map<string, z.ZodType>();
  const schemaFor = (schema: Schema): z.ZodType => {
    const key = JSON.stringify(schema);
    const made =
      known.get(key) ??
      z.fromJSONSchema(
        JSON.parse(
          JSON.stringify({ ...schema, $defs: document.components.schemas }).replaceAll(
            "#/components/schemas/",
            "#/$defs/",
          ),
        ) as Parameters<typeof z.fromJSONSchema>[0],
      );
    known.set(key, made);
    return made;
  };
  return (sent, { status, text }) => {
    const documented = document.paths[sent.pattern]![sent.method.toLowerCase()]!.responses[String(status)];
    const response =
      documented?.$ref === undefined ? documented : document.components.responses[String(status)];
    if (response === undefined) throw new Error(`${status} is not documented: ${text.slice(0, 200)}`);
    if (response.content === undefined) {
      if (text !== "") throw new Error(`${status} has a body: ${text.slice(0, 200)}`);
      return;
    }
    const parsed = schemaFor(response.content["application/json"].schema).safeParse(JSON.parse(text));
    if (!parsed.success)
      throw new Error(`${status} breaks its schema: ${parsed.error.message}\n${text.slice(0, 400)}`);
  };
}

const REQUESTS = runs(400, 20_000);

test(
  `for ${REQUESTS} random requests, each response agrees with the OpenAPI document`,
  async () => {
    const first = await startService();
    const document = (await (await fetch(`${first.url}/_steward/openapi.json`)).json()) as Document;
    await first.close();
    const check = judge(document);
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(requestsOf(document), { minLength: REQUESTS_EACH, maxLength: REQUESTS_EACH }),
        async (requests) => {
          const service = await startService({ fixture: company() });
          try {
            for (const sent of requests) {
              const answer = await answerOf(service, sent).catch((cause: unknown) => {
                throw new Error(`no answer to ${JSON.stringify(sent)}`, { cause });
              });
              statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
              try {
                check(sent, answer);
              } catch (cause) {
                throw new Error(`${JSON.stringify(sent)}\n${(cause as Error).message}`, { cause });
              }
            }
          } finally {
            await service.close();
          }
        },
      ),
      { seed, numRuns: REQUESTS / REQUESTS_EACH, endOnFailure: true },
    );
    // The fuzz would prove nothing if the service refused every request.
    expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 403, 404]));
  },
  runs(60_000, 900_000),
);
