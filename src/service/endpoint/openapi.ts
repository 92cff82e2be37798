import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { addressPattern, type Endpoint } from "./endpoint";

type Json = { [key: string]: unknown };

const errorSchema = z
  .union([
    z.object({ message: z.union([z.string(), z.record(z.string(), z.unknown())]) }),
    z.object({ error: z.string(), error_description: z.string().optional(), scope: z.string().optional() }),
  ])
  .meta({ id: "Error" });

/** Converts a schema to JSON Schema and moves the schema's named parts into the document's components. */
function schemaOf(schema: z.ZodType, io: "input" | "output", components: Json): Json {
  const {
    $schema: _,
    $defs = {},
    ...body
  } = z.toJSONSchema(schema, {
    io,
    target: "draft-2020-12",
    unrepresentable: "any",
  }) as Json & { $defs?: Json };
  const { id, ...plain } = withMovedReferences(body) as Json & { id?: string };
  Object.assign(components, withMovedReferences($defs));
  if (id === undefined) return plain;
  components[id] = plain;
  return { $ref: `#/components/schemas/${id}` };
}

/** Replaces references to local definitions by references to the components of the document. */
const withMovedReferences = (part: Json): Json =>
  JSON.parse(JSON.stringify(part).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'));

const PAGE_HEADERS = [
  "x-page",
  "x-per-page",
  "x-next-page",
  "x-prev-page",
  "x-total",
  "x-total-pages",
  "link",
];

const headersOf = (endpoint: Endpoint): Json =>
  endpoint.isPaged
    ? {
        headers: Object.fromEntries(PAGE_HEADERS.map((name) => [name, { schema: { type: "string" } }])),
      }
    : {};

const jsonContent = (schema: Json): Json => ({ content: { "application/json": { schema } } });

/** Returns the error statuses of an endpoint, without injected faults. */
function refusalsOf(endpoint: Endpoint): number[] {
  const isWrite = endpoint.method !== "GET";
  const moves = endpoint.path.startsWith("/projects/:id") ? [isWrite ? 307 : 301] : [];
  const takes = Object.keys(endpoint.input.shape).length > 0 ? [400] : [];
  const names = endpoint.path.includes(":") ? [404] : [];
  const changes = isWrite ? [400, 403, 404, 409, 413, 415, 422] : [];
  return [
    ...new Set([...moves, ...takes, ...names, ...endpoint.access.refusals, 403, ...changes, 414, 429]),
  ].sort((left, right) => left - right);
}

const answers = (endpoint: Endpoint, components: Json): Json => ({
  [endpoint.status]: {
    description: STATUS_CODES[endpoint.status],
    ...headersOf(endpoint),
    ...(endpoint.answer === undefined ? {} : jsonContent(schemaOf(endpoint.answer, "output", components))),
  },
  ...Object.fromEntries(
    refusalsOf(endpoint).map((status) => [status, { $ref: `#/components/responses/${status}` }]),
  ),
});

const refusal = (status: number, components: Json): Json => ({
  description: STATUS_CODES[status],
  ...jsonContent(schemaOf(errorSchema, "output", components)),
});

function operation(endpoint: Endpoint, components: Json): Json {
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  const shape = endpoint.input.shape as Record<string, z.ZodType>;
  const schema = (field: z.ZodType) => schemaOf(field, "input", components);
  const others = Object.entries(shape).filter(([name]) => !inPath.includes(name));
  const isInQuery = endpoint.method === "GET" || endpoint.method === "DELETE";
  const isRequired = (field: z.ZodType) => !field.safeParse(undefined).success;
  const parameters = [
    ...inPath.map((name) => ({
      name,
      in: "path",
      required: true,
      schema: shape[name] === undefined ? { $ref: "#/components/schemas/IdOrPath" } : schema(shape[name]),
    })),
    ...(isInQuery ? others : []).map(([name, field]) => ({
      name,
      in: "query",
      required: isRequired(field),
      schema: schema(field),
    })),
  ];
  const body = {
    type: "object",
    properties: Object.fromEntries(others.map(([name, field]) => [name, schema(field)])),
    required: others.filter(([, field]) => isRequired(field)).map(([name]) => name),
  };
  return {
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    description: `Who: ${endpoint.access.who} Source: ${endpoint.section}.`,
    parameters,
    ...(isInQuery || others.length === 0
      ? {}
      : {
          requestBody: {
            required: body.required.length > 0,
            content: {
              "application/json": { schema: body },
              "application/x-www-form-urlencoded": { schema: body },
            },
          },
        }),
    security: [...(endpoint.access.isAnonymous ? [{}] : []), { privateToken: [] }, { bearer: [] }],
    responses: answers(endpoint, components),
  };
}

const operationId = ({ method, path }: Endpoint): string =>
  `${method.toLowerCase()}${path.replace(/[/:_]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

/** Creates the OpenAPI 3.1 document of a route table from the schemas that validate requests. */
export function openApiDocument(endpoints: readonly Endpoint[]): Json {
  const components: Json = {
    IdOrPath: {
      description: "An integer id, or a full path whose slashes are written %2F.",
      type: ["integer", "string"],
    },
  };
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const address = addressPattern(endpoint.path).replace(/:(\w+)/g, "{$1}");
    paths[address] ??= {};
    paths[address][endpoint.method.toLowerCase()] = operation(endpoint, components);
  }
  const statuses = [...new Set(endpoints.flatMap(refusalsOf))].sort((left, right) => left - right);
  const responses = Object.fromEntries(statuses.map((status) => [status, refusal(status, components)]));
  return {
    openapi: "3.1.0",
    info: {
      title: "Project Administration REST API, embedded service",
      version: "4",
      description:
        "What the embedded service of Steward serves. Generated from its route table: see docs/specification.md.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(components).sort(([left], [right]) => (left < right ? -1 : 1)),
      ),
      responses,
      securitySchemes: {
        privateToken: { type: "apiKey", in: "header", name: "PRIVATE-TOKEN" },
        bearer: { type: "http", scheme: "bearer" },
      },
    },
  };
}
