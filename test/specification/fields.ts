import { openApiText } from "../../src/service";

/** The place of a part of an endpoint. */
export type Place = "endpoint" | "path" | "query" | "body" | "answer";

/** A part of the specification: an endpoint, its parameter, or a field of its response. */
export interface Part {
  readonly method: string;
  /** The route, as the specification writes it: `/projects/:id/pages`. */
  readonly route: string;
  readonly place: Place;
  /**
   * The name of a parameter, or the place of a field in the body or record, such as `deployments[].url`. Empty for an
   * endpoint.
   */
  readonly field: string;
}

/** Returns the name of a part, for tests and for the page. */
export const nameOf = ({ method, route, place, field }: Part): string =>
  place === "endpoint" ? `${method} ${route}` : `${method} ${route} ${place} ${field}`;

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

interface OpenApi {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters?: readonly { readonly name?: string; readonly in?: string }[];
            readonly requestBody?: Content;
            readonly responses: Readonly<Record<string, Content>>;
          }
        >
      >
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** Matches the routes that the specification describes. The service also has other routes. */
const DESCRIBED =
  /\/job_token_scope|\/protected_environments|\/pages$|\/platform_ci_ymls|\/registry\/|\/invitations|\/enterprise_users|^\/user$/;

/** The fields of `GET /user`. The specification does not list these fields, so this project has chosen them. */
const USER_FIELDS = ["id", "username", "name", "email", "state", "avatar_url", "web_url", "is_admin"];

/**
 * Matches fields that name an existing record in an array. Only updates have these fields ("Protected environments", rule 3).
 */
const OF_UPDATES = /\[\]\.(id|_destroy)$/;

/**
 * Returns all parts that the specification names. The parts come from the OpenAPI document, which the service generates
 * from its schemas.
 */
export function specifiedParts(): readonly Part[] {
  const document = JSON.parse(openApiText()) as OpenApi;
  return Object.entries(document.paths).flatMap(([address, operations]) => {
    const route = address.replace("/api/v4", "").replace(/\{(\w+)\}/g, ":$1");
    if (!DESCRIBED.test(route) || route.startsWith("/_steward")) return [];
    return Object.entries(operations).flatMap(([verb, { parameters = [], requestBody, responses }]) => {
      const method = verb.toUpperCase();
      const part = (place: Place, field: string): Part => ({ method, route, place, field });
      const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
      return [
        part("endpoint", ""),
        ...parameters.flatMap(({ name, in: place }) =>
          name === undefined ? [] : [part(place === "path" ? "path" : "query", name)],
        ),
        ...fieldsOf(document, requestBody)
          .filter((field) => method === "PUT" || !OF_UPDATES.test(field))
          .map((field) => part("body", field)),
        ...fieldsOf(document, success)
          .filter((field) => route !== "/user" || USER_FIELDS.includes(field))
          .map((field) => part("answer", field)),
      ];
    });
  });
}

const fieldsOf = (document: OpenApi, content: Content | undefined): readonly string[] => {
  const schema = content?.content?.["application/json"]?.schema;
  return schema === undefined ? [] : [...new Set(walk(document, schema, ""))];
};

function walk(document: OpenApi, schema: JsonSchema, path: string): string[] {
  if (schema.$ref !== undefined) {
    return walk(document, document.components.schemas[schema.$ref.split("/").at(-1)!]!, path);
  }
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return alternatives.flatMap((one) => walk(document, one, path));
  // A list has the fields of its records.
  if (schema.items !== undefined) return walk(document, schema.items, path === "" ? "" : `${path}[]`);
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const field = path === "" ? name : `${path}.${name}`;
    return [field, ...walk(document, inner, field)];
  });
}
