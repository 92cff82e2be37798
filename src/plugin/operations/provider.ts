import type { FunctionError } from "../../framework";
import {
  attributeEntries,
  type FunctionSchema,
  type ProviderSchema,
  type Schema,
  type Value,
  type WireAttribute,
  wireAttribute,
  wireType,
} from "../../schema";
import { oneLine } from "../../text";
import type { Sent } from "../messages/codec";
import type { Messages } from "../messages/generated/tfplugin6";
import { diagnosticsOf } from "../values/diagnostics";
import { writeIdentitySchema } from "../values/stored-state";
import { readValue, writeDynamic } from "../values/wire-value";
import {
  configurationIn,
  ofDataSource,
  ofProvider,
  ofResource,
  operation,
  type RequestOf,
  required,
} from "./operation";

export const GetFunctions = operation("GetFunctions", {
  handle: ({ provider }) => ({ functions: writeFunctions(provider.schema) }),
});

const writeFunctions = ({
  functions = {},
}: ProviderSchema): Readonly<Record<string, Sent<Messages["Function"]>>> =>
  Object.fromEntries(Object.entries(functions).map(([name, schema]) => [name, writeFunction(schema)]));

const writeFunction = ({
  summary,
  description,
  parameters,
  returns,
}: FunctionSchema): Sent<Messages["Function"]> => ({
  summary,
  description,
  descriptionKind: "MARKDOWN",
  parameters: attributeEntries(parameters).map(([name, { type, presence, text }]) => ({
    name,
    type: Buffer.from(JSON.stringify(wireType(type))),
    allowNullValue: presence !== "required",
    description: text.description,
    descriptionKind: "MARKDOWN",
  })),
  return: { type: Buffer.from(JSON.stringify(wireType(returns.type))) },
});

/** The only procedure whose response has an error instead of diagnostics. */
export const CallFunction = operation("CallFunction", {
  handle({ provider }, request) {
    const schema = provider.schema.functions?.[request.name];
    if (schema === undefined)
      return { error: { text: `This provider has no function ${oneLine(request.name)}.` } };
    const read = readArguments(schema, request);
    if ("error" in read) return { error: writeError(read.error) };
    try {
      const { result, error } = provider.callFunction!(request.name, read.values);
      return error === undefined
        ? { result: writeDynamic(schema.returns.type, result) }
        : { error: writeError(error) };
    } catch (problem) {
      return { error: { text: textOf(problem) } };
    }
  },
});

/**
 * Reads the arguments of a function call. The result contains surplus arguments too, because the called function
 * reports them as an error.
 */
function readArguments({ parameters }: FunctionSchema, { arguments: given }: RequestOf<"CallFunction">) {
  const types = attributeEntries(parameters).map(([, { type }]) => type);
  const values: Value[] = [];
  for (const [argument, dynamic] of given.entries()) {
    const type = types[argument];
    try {
      values.push(type === undefined ? null : readValue(type, dynamic));
    } catch (problem) {
      return { error: { text: textOf(problem), argument } };
    }
  }
  return { values };
}

const writeError = ({ text, argument }: FunctionError): Sent<Messages["FunctionError"]> => ({
  text: oneLine(text),
  ...(argument !== undefined && { functionArgument: argument }),
});

const textOf = (problem: unknown): string =>
  diagnosticsOf(problem)
    .map(({ detail }) => oneLine(detail))
    .join(" ");

/**
 * The capabilities of the provider: it plans destroys, converts states of another provider, and generates
 * configurations for states. GetProviderSchema is optional: Terraform can reuse the response of the first process of
 * the plugin.
 */
const CAPABILITIES = {
  planDestroy: true,
  getProviderSchemaOptional: true,
  moveResourceState: true,
  generateResourceConfig: true,
} as const;

export const GetMetadata = operation("GetMetadata", {
  handle: ({ provider: { schema } }) => ({
    serverCapabilities: CAPABILITIES,
    resources: Object.keys(schema.resources).map((typeName) => ({ typeName })),
    dataSources: Object.keys(schema.dataSources).map((typeName) => ({ typeName })),
    listResources: Object.keys(schema.listResources ?? {}).map((typeName) => ({ typeName })),
    functions: Object.keys(schema.functions ?? {}).map((name) => ({ name })),
  }),
});

export const GetProviderSchema = operation("GetProviderSchema", {
  handle: ({ provider: { schema } }) => ({
    serverCapabilities: CAPABILITIES,
    provider: writeSchema(schema.provider),
    resourceSchemas: writeSchemas(schema.resources),
    dataSourceSchemas: writeSchemas(schema.dataSources),
    listResourceSchemas: writeSchemas(schema.listResources ?? {}),
    functions: writeFunctions(schema),
  }),
});

export const GetResourceIdentitySchemas = operation("GetResourceIdentitySchemas", {
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

export const ValidateProviderConfig = operation("ValidateProviderConfig", {
  attributes: ofProvider,
  handle: ({ provider }, request, attributes) => ({
    diagnostics: provider.validateProvider(configurationIn(attributes, request)),
  }),
});

export const ValidateResourceConfig = operation("ValidateResourceConfig", {
  attributes: ofResource,
  handle: ({ provider, seen }, { typeName, config }, attributes) => ({
    diagnostics: provider.validateResource(
      typeName,
      required(seen.first(attributes, config), "configuration"),
    ),
  }),
});

export const ValidateDataResourceConfig = operation("ValidateDataResourceConfig", {
  attributes: ofDataSource,
  handle: ({ provider }, request, attributes) => ({
    diagnostics: provider.validateDataSource(request.typeName, configurationIn(attributes, request)),
  }),
});

export const ConfigureProvider = operation("ConfigureProvider", {
  attributes: ofProvider,
  handle: async (session, request, attributes) => ({
    diagnostics: await session.configure(configurationIn(attributes, request)),
  }),
});

/**
 * Stops the operations in progress, when Terraform is interrupted. The operations end as soon as it is safe, and return
 * their completed changes.
 */
export const StopProvider = operation("StopProvider", {
  handle(session) {
    session.stop();
    return {};
  },
});
