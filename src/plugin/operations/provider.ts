import { type Schema, type WireAttribute, wireAttribute } from "../../schema";
import type { Sent } from "../messages/codec";
import type { Messages } from "../messages/generated/tfplugin6";
import { writeIdentitySchema } from "../values/stored-state";
import { readObject } from "../values/wire-value";
import { writeFunctions } from "./functions";
import { ofDataSource, ofProvider, ofResource, operation, required } from "./operation";

/**
 * Plan on destroy, moves from another provider's state, configurations for states, and an optional
 * GetProviderSchema call, which saves every process but the first that response.
 */
const CAPABILITIES = {
  planDestroy: true,
  getProviderSchemaOptional: true,
  moveResourceState: true,
  generateResourceConfig: true,
} as const;

export const getMetadata = operation("GetMetadata", {
  handle: ({ provider: { schema } }) => ({
    serverCapabilities: CAPABILITIES,
    resources: Object.keys(schema.resources).map((typeName) => ({ typeName })),
    dataSources: Object.keys(schema.dataSources).map((typeName) => ({ typeName })),
    listResources: Object.keys(schema.listResources ?? {}).map((typeName) => ({ typeName })),
    functions: Object.keys(schema.functions ?? {}).map((name) => ({ name })),
  }),
});

export const getProviderSchema = operation("GetProviderSchema", {
  handle: ({ provider: { schema } }) => ({
    serverCapabilities: CAPABILITIES,
    provider: writeSchema(schema.provider),
    resourceSchemas: writeSchemas(schema.resources),
    dataSourceSchemas: writeSchemas(schema.dataSources),
    listResourceSchemas: writeSchemas(schema.listResources ?? {}),
    functions: writeFunctions(schema),
  }),
});

export const getResourceIdentitySchemas = operation("GetResourceIdentitySchemas", {
  handle: ({ provider: { schema } }) => ({
    identitySchemas: Object.fromEntries(
      Object.entries(schema.resources).flatMap(([type, { identity }]) =>
        identity === undefined ? [] : [[type, writeIdentitySchema(identity)]],
      ),
    ),
  }),
});

const writeSchemas = (
  schemas: Readonly<Record<string, Schema>>,
): Readonly<Record<string, Sent<Messages["Schema"]>>> =>
  Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, writeSchema(schema)]));

const writeSchema = ({ version, description, attributes }: Schema): Sent<Messages["Schema"]> => ({
  version,
  block: {
    version,
    description,
    descriptionKind: "MARKDOWN",
    attributes: Object.entries(attributes).map(([name, attribute]) =>
      writeAttribute(name, wireAttribute(attribute)),
    ),
  },
});

function writeAttribute(name: string, wire: WireAttribute): Sent<Messages["Schema.Attribute"]> {
  const { type, nested_type: nested, description, description_kind: _kind, ...flags } = wire;
  return {
    name,
    ...(nested === undefined
      ? { type: Buffer.from(JSON.stringify(type)) }
      : {
          nestedType: {
            attributes: Object.entries(nested.attributes).map(([each, inner]) => writeAttribute(each, inner)),
            nesting: NESTING[nested.nesting_mode]!,
          },
        }),
    description,
    descriptionKind: "MARKDOWN",
    ...flags,
  };
}

const NESTING: Readonly<Record<string, Messages["Schema.Object"]["nesting"]>> = {
  single: "SINGLE",
  list: "LIST",
  set: "SET",
};

export const validateProviderConfig = operation("ValidateProviderConfig", {
  attributes: ofProvider,
  handle: ({ provider }, { config }, attributes) => ({
    diagnostics: provider.validateProvider(required(readObject(attributes, config), "configuration")),
  }),
});

export const validateResourceConfig = operation("ValidateResourceConfig", {
  attributes: ofResource,
  handle: ({ provider, seen }, { typeName, config }, attributes) => ({
    diagnostics: provider.validateResource(
      typeName,
      required(seen.first(attributes, config), "configuration"),
    ),
  }),
});

export const validateDataResourceConfig = operation("ValidateDataResourceConfig", {
  attributes: ofDataSource,
  handle: ({ provider }, { typeName, config }, attributes) => ({
    diagnostics: provider.validateDataSource(
      typeName,
      required(readObject(attributes, config), "configuration"),
    ),
  }),
});

export const configureProvider = operation("ConfigureProvider", {
  attributes: ofProvider,
  handle: async (session, { config }, attributes) => ({
    diagnostics: await session.configure(required(readObject(attributes, config), "configuration")),
  }),
});

/**
 * Called on an interrupt: operations in progress end as soon as it is safe, and return what they have done.
 */
export const stopProvider = operation("StopProvider", {
  handle(session) {
    session.stop();
    return {};
  },
});
