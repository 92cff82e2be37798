import type { Provider } from "../../src/framework";
import { PROVIDER_NAME } from "../../src/provider";
import { type FunctionSchema, isObject, type Value, type WireType, wireType } from "../../src/schema";
import { attributeTables, typeWords } from "./attribute-tables";
import { code, fence, GENERATED, page, table } from "./markdown";

const PLACE = "docs/reference";

/** The arguments in the example on the page of each function. */
const EXAMPLES: Readonly<Record<string, readonly Value[]>> = {
  access_level: ["maintainer"],
  access_level_name: [40],
  parse_id: ["42:production"],
};

/** Returns a page for each function, with its path. */
export const functionPages = (provider: Provider): [string, string][] =>
  functionsOf(provider).map(([name, schema]) => [
    `${PLACE}/${functionPath(name)}`,
    functionPage(provider, name, schema),
  ]);

const functionsOf = ({ schema }: Provider) => Object.entries(schema.functions ?? {});
const functionPath = (name: string): string => `function_${name}.md`;

/** Returns the table of all functions, for the list of pages. */
export const functionTable = (provider: Provider): string =>
  table(
    ["Function", "Signature", "What it returns"],
    functionsOf(provider).map(([name, schema]) => [
      `[${code(name)}](${functionPath(name)})`,
      code(signatureOf(name, schema)),
      `${schema.summary}.`,
    ]),
  );

function functionPage(provider: Provider, name: string, schema: FunctionSchema): string {
  const args = EXAMPLES[name];
  if (args === undefined) throw new Error(`scripts/generate/function-pages.ts has no example of ${name}.`);
  const { result, error } = provider.callFunction!(name, args);
  if (error !== undefined) throw new Error(`The example of the function ${name} fails: ${error.text}`);
  const call = `provider::${PROVIDER_NAME}::${name}(${args.map((arg) => JSON.stringify(arg)).join(", ")})`;
  const { kind } = schema.returns.type;
  return page(
    `# Function ${code(name)}`,
    GENERATED,
    schema.description,
    fence("hcl", `${call} # ${hcl(result)}`),
    "The function works in Steward's engine, in Terraform 1.8 and later, and in OpenTofu 1.7 and later. The " +
      "configuration must require the provider, and the " +
      "function needs no token. In a cdktf app the call is a string, or a token of its type:",
    fence("ts", inTypeScript(call, result)),
    "## Signature",
    fence("text", signatureOf(name, schema)),
    table(
      ["Argument", "Type", "Description"],
      Object.entries(schema.parameters).map(([parameter, { type, text }]) => [
        code(parameter),
        typeWords(type),
        text.description,
      ]),
    ),
    `Returns: ${schema.returns.text.description}`,
    ...(kind === "single" ? attributeTables("data source", schema.returns.type.nested) : []),
  );
}

const signatureOf = (name: string, { parameters, returns }: FunctionSchema): string =>
  `${name}(${Object.entries(parameters)
    .map(([parameter, { type }]) => `${parameter} ${signatureType(wireType(type))}`)
    .join(", ")}) ${signatureType(wireType(returns.type))}`;

/** Returns a type in the notation of Terraform's type constraints. */
function signatureType(type: WireType): string {
  if (typeof type === "string") return type;
  const [kind, inner] = type;
  return `${kind}(${
    typeof inner === "string" || Array.isArray(inner)
      ? signatureType(inner as WireType)
      : `{${Object.entries(inner)
          .map(([name, each]) => `${name} = ${signatureType(each as WireType)}`)
          .join(", ")}}`
  })`;
}

function inTypeScript(call: string, result: Value): string {
  if (typeof result === "number") return `import { Token } from "cdktf";\n\nToken.asNumber('\${${call}}');`;
  const part = isObject(result) ? `.${Object.keys(result)[0]}` : "";
  return `'\${${call}${part}}';`;
}

function hcl(value: Value): string {
  if (!isObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${name} = ${hcl(each)}`)
    .join(", ")} }`;
}
