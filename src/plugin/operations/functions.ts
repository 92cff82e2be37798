import type { FunctionError } from "../../framework";
import {
  attributeEntries,
  type FunctionSchema,
  type ProviderSchema,
  type Value,
  wireType,
} from "../../schema";
import { oneLine } from "../../text";
import type { Sent } from "../messages/codec";
import type { Messages } from "../messages/generated/tfplugin6";
import { diagnosticsOf } from "../values/diagnostics";
import { readValue, writeDynamic } from "../values/wire-value";
import { operation, type RequestOf } from "./operation";

export const getFunctions = operation("GetFunctions", {
  handle: ({ provider }) => ({ functions: writeFunctions(provider.schema) }),
});

export const writeFunctions = ({
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

/** The only procedure whose response has an error in the place of diagnostics. */
export const callFunction = operation("CallFunction", {
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

/** Surplus arguments are kept, for the error of the function. */
function readArguments(
  { parameters }: FunctionSchema,
  { arguments: given }: RequestOf<"CallFunction">,
): { readonly values: readonly Value[] } | { readonly error: FunctionError } {
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
