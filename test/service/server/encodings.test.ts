import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Endpoint } from "../../../src/service/endpoint/endpoint";
import { Faults } from "../../../src/service/endpoint/faults";
import { parameterReader } from "../../../src/service/http/parameters";
import { createServer } from "../../../src/service/server/server";
import { DEFAULT_SETTINGS } from "../../../src/service/settings/settings";
import { endpointTable } from "../../../src/service/start/route-table";
import { openDatabase } from "../../../src/service/store/database";
import { migrate } from "../../../src/service/store/migrations";

// Sends every parameter of every endpoint in every encoding. The endpoints come from the route table. In this test,
// they return the parsed parameters.

const ENDPOINTS = endpointTable(new Faults());
const TEXTS = [
  "text",
  "2030-01-02",
  "2030-01-02T03:04:05Z",
  "a@example.com",
  "https://example.com/a",
  "a".repeat(40),
];

type Sample = null | boolean | number | string | readonly Sample[] | { readonly [name: string]: Sample };

/** Returns values that a schema accepts, one for each alternative of the schema. */
function samplesOf(schema: z.ZodType): readonly Sample[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return samplesOf(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodPipe) return samplesOf(schema.in as z.ZodType);
  if (schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option) => samplesOf(option as z.ZodType));
  }
  if (schema instanceof z.ZodLiteral) return [...schema.values] as Sample[];
  if (schema instanceof z.ZodEnum) return schema.options.filter((word) => word !== "") as Sample[];
  if (schema instanceof z.ZodBoolean) return [true, false];
  if (schema instanceof z.ZodArray) {
    const elements = samplesOf(schema.element as z.ZodType);
    return [[elements[0]!, elements.at(-1)!]];
  }
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(
      ([name, field]) => [name, samplesOf(field as z.ZodType)[0]!] as const,
    );
    return [Object.fromEntries(fields)];
  }
  if (schema instanceof z.ZodRecord) {
    const [key, value] = [schema.keyType, schema.valueType].map((one) => samplesOf(one as z.ZodType)[0]!);
    return [{ [String(key)]: value! }];
  }
  const candidates = schema instanceof z.ZodNumber ? [7, 400, 30] : TEXTS;
  return candidates.filter((each) => schema.safeParse(each).success).slice(0, 1);
}

type Fields = readonly (readonly [string, string])[];

/**
 * Returns the fields of a form for a value. `isNumbered` chooses the notation of elements that are objects:
 * `name[0][key]` or `name[][key]`.
 */
function fieldsOf(name: string, value: Sample, isNumbered: boolean): Fields {
  if (Array.isArray(value)) {
    return value.flatMap((element: Sample, index) => {
      const isHash = typeof element === "object" && element !== null;
      return fieldsOf(`${name}[${isHash && isNumbered ? index : ""}]`, element, isNumbered);
    });
  }
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, field]) => fieldsOf(`${name}[${key}]`, field, isNumbered));
  }
  return [[name, String(value)]];
}

/** Replaces each number and boolean with a text. */
const asTexts = (value: Sample): Sample => {
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value !== "object" || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, asTexts(field)]));
};

type Given = Readonly<Record<string, Sample>>;
type Sent = { readonly query?: string; readonly body?: BodyInit; readonly type?: string };

const form = (given: Given, isNumbered: boolean): string =>
  new URLSearchParams(
    Object.entries(given).flatMap(([name, value]) =>
      fieldsOf(name, value, isNumbered),
    ) as unknown as string[][],
  ).toString();

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const ENCODINGS: Readonly<Record<string, (given: Given) => Sent>> = {
  "a query": (given) => ({ query: form(given, true) }),
  "a query with name[][key]": (given) => ({ query: form(given, false) }),
  "a form": (given) => ({ body: form(given, true), type: FORM }),
  "a form with name[][key]": (given) => ({ body: form(given, false), type: FORM }),
  multipart: (given) => {
    const body = new FormData();
    for (const [name, text] of new URLSearchParams(form(given, true))) body.append(name, text);
    return { body };
  },
  JSON: (given) => ({ body: JSON.stringify(given), type: JSON_TYPE }),
  "JSON texts": (given) => ({ body: JSON.stringify(asTexts(given)), type: JSON_TYPE }),
};

let server: FastifyInstance;
let origin: string;
beforeAll(async () => {
  const database = openDatabase(undefined);
  migrate(database);
  const context = { database, settings: DEFAULT_SETTINGS, faults: new Faults(), observers: [] };
  server = createServer(context, ENDPOINTS.map(echo));
  origin = await server.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close());

const echo = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  authorize: () => undefined,
  respond: ({ given, path }) => ({
    status: 200,
    body: parameterReader(endpoint.input)({ ...given, ...path }),
  }),
});

/**
 * Returns sets of values for all parameters of an endpoint. Each sample is in at least one of the sets. Shorter lists
 * of samples are repeated.
 */
function givenTo({ input, path }: Endpoint): readonly Given[] {
  const parameters = Object.entries(input.shape)
    .filter(([name]) => !path.split("/").includes(`:${name}`))
    .map(([name, field]) => [name, samplesOf(field as z.ZodType)] as const);
  for (const [name, samples] of parameters) {
    if (samples.length === 0) throw new Error(`No value that ${path} takes for ${name} is known here.`);
  }
  const rounds = Math.max(0, ...parameters.map(([, samples]) => samples.length));
  return Array.from({ length: rounds }, (_, round) =>
    Object.fromEntries(parameters.map(([name, samples]) => [name, samples[round % samples.length]!])),
  );
}

/** Returns values for the parameters in the path. */
const inPath = ({ input, path }: Endpoint): Record<string, string> =>
  Object.fromEntries(
    [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => {
      const field = input.shape[name] as z.ZodType | undefined;
      return [name, field === undefined ? "7" : String(samplesOf(field)[0])];
    }),
  );

describe.each(ENDPOINTS.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  "%s",
  (_, endpoint) => {
    const names = inPath(endpoint);
    const address = endpoint.path.replace(/:(\w+)/g, (_all, name: string) =>
      encodeURIComponent(names[name]!),
    );
    const prefix = address.startsWith("/_steward") ? "" : "/api/v4";
    const isRead = endpoint.method === "GET";

    test.each(Object.entries(ENCODINGS).filter(([name]) => !isRead || name.startsWith("a query")))(
      "each parameter in %s has the same value as in JSON",
      async (_name, encode) => {
        for (const given of givenTo(endpoint)) {
          const { query = "", body, type } = encode(given);
          const answer = await fetch(`${origin}${prefix}${address}${query && `?${query}`}`, {
            method: endpoint.method,
            ...(body !== undefined && { body }),
            ...(type !== undefined && { headers: { "content-type": type } }),
          });
          const expected = JSON.parse(
            JSON.stringify(parameterReader(endpoint.input)({ ...given, ...names })),
          );
          expect({ status: answer.status, body: await answer.json() }).toEqual({
            status: 200,
            body: expected,
          });
        }
      },
    );
  },
);
