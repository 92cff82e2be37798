import { type Attributes, isObject, type Value, type ValueObject } from "../../engine";
import { EMAILS_FILE, EMAILS_VARIABLE, Emails } from "../model/emails";
import { notesOf } from "../model/fold-notes";
import type { AdoptedContainer, AdoptedFile, AdoptOptions, LiveSettings } from "../model/live-settings";
import { commentText, terraformText } from "../model/source-text";
import { type Declaration, type DeclareOptions, declarationsOf, hclText } from "./declarations";
import { type DeclarationTable, foldDeclarations } from "./fold-declarations";

/** Returns live settings as a configuration in HCL, in the format of `terraform fmt`. */
function printHcl(settings: LiveSettings, options: DeclareOptions): string {
  const declarations = foldDeclarations(declarationsOf(settings, options));
  const blocks = [
    ...notesOf(settings, options.emails.isIncluded).map(({ heading, lines }) =>
      [heading, ...lines.map((line) => `- ${line}`)].map((line) => `# ${line}`),
    ),
    terraformBlock(settings.schema.source),
    ...(options.emails.named === undefined ? [] : [EMAILS_BLOCK]),
    ...[...declarations].flatMap(([container, of]) => containerBlocks(container, of, settings)),
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

type Lines = readonly string[];

const terraformBlock = (source: string): Lines => [
  "terraform {",
  "  required_providers {",
  `    ${source.split("/").at(-1)} = {`,
  `      source = "${source}"`,
  "    }",
  "  }",
  "}",
];

const EMAILS_BLOCK: Lines = [
  `variable "${EMAILS_VARIABLE}" {`,
  '  description = "E-mail addresses of invited people, by the names that this configuration has for them."',
  "  type        = map(string)",
  "}",
];

/**
 * Returns the blocks of a container: a heading, and its resources with their imports. A container with only default settings has
 * no blocks and no heading.
 */
function containerBlocks(
  container: AdoptedContainer,
  declarations: readonly (Declaration | DeclarationTable)[],
  { schema }: LiveSettings,
): Lines[] {
  if (declarations.length === 0) return [];
  return [
    [`# ${commentText(`${container.kind} ${container.path}`)}`],
    ...declarations.flatMap((one) => {
      const { attributes } = schema.resources[one.type]!;
      return "rows" in one ? tableBlocks(one, attributes) : declarationBlocks(one, attributes);
    }),
  ];
}

const declarationBlocks = ({ type, label, body, importId }: Declaration, attributes: Attributes): Lines[] => [
  [`resource "${type}" "${label}" {`, ...bodyLines(attributes, body, "  "), "}"],
  importBlock(`${type}.${label}`, importId),
];

/** Returns the blocks of a table: the rows as a local value, the resource and the import. */
function tableBlocks(
  { type, label, local, rows, body, importId }: DeclarationTable,
  attributes: Attributes,
): Lines[] {
  const keys = [...rows.keys()].map((key) => hclText(key));
  const width = Math.max(...keys.map((key) => key.length));
  const lines = [...rows.values()].map((row, at) => ({
    text: `    ${keys[at]!.padEnd(width)} = ${hclText(row)}`,
    comment: Object.entries(row)
      .map(([name, value]) => titleOf(attributes, name, value))
      .find((title) => title !== undefined),
  }));
  const forEach = `for_each = local.${local}`;
  return [
    ["locals {", `  ${local} = {`, ...withComments(lines), "  }", "}"],
    [`resource "${type}" "${label}" {`, `  ${forEach}`, "", ...bodyLines(attributes, body, "  "), "}"],
    [
      "import {",
      `  ${forEach}`,
      `  to       = ${type}.${label}[each.key]`,
      `  id       = ${hclText(importId)}`,
      "}",
    ],
  ];
}

/**
 * Returns the lines of a resource's attributes. Attributes on one line come first and are aligned. Attributes with nested
 * elements follow, each after an empty line.
 */
function bodyLines(attributes: Attributes, body: ValueObject, indent: string): string[] {
  const entries = Object.entries(body);
  const isNested = (value: Value) => Array.isArray(value) && value.some(isObject);
  const short = entries.filter(([, value]) => !isNested(value));
  const width = Math.max(0, ...short.map(([name]) => name.length));
  const rows = short.map(([name, value]) => ({
    text: `${indent}${name.padEnd(width)} = ${hclText(value)}`,
    comment: titleOf(attributes, name, value),
  }));
  return [
    ...withComments(rows),
    ...entries
      .filter(([, value]) => isNested(value))
      .flatMap(([name, value]) => {
        const { type } = attributes[name]!;
        const nested = "nested" in type ? type.nested : {};
        const elements = (value as readonly ValueObject[]).map((element) => ({
          text: `${indent}  ${hclText(element)},`,
          comment: Object.entries(element)
            .map(([key, one]) => titleOf(nested, key, one))
            .find((title) => title !== undefined),
        }));
        return ["", `${indent}${name} = [`, ...withComments(elements), `${indent}]`];
      }),
  ];
}

interface Row {
  readonly text: string;
  readonly comment: string | undefined;
}

/** Returns the lines of rows, each line with its comment. On consecutive lines, all comments begin in the same column. */
function withComments(rows: readonly Row[]): string[] {
  const lines: string[] = [];
  for (let from = 0; from < rows.length; ) {
    let to = from;
    while (to < rows.length && rows[to]!.comment !== undefined) to++;
    const width = Math.max(0, ...rows.slice(from, to).map(({ text }) => text.length));
    for (const { text, comment } of rows.slice(from, to)) lines.push(`${text.padEnd(width)} # ${comment}`);
    if (to < rows.length) lines.push(rows[to++]!.text);
    from = to;
  }
  return lines;
}

/** Returns the name that the schema has for the number in an attribute, such as `Maintainer`; undefined if there is no name. */
function titleOf(attributes: Attributes, name: string, value: Value): string | undefined {
  if (typeof value !== "number") return undefined;
  return attributes[name]?.text.values?.members.find((member) => member.value === value)?.title;
}

/** The data of an import block: the import id of a live object, and its address in the state. */
export interface ImportBlock {
  readonly address: string;
  readonly id: string;
}

/** Returns import blocks for Terraform and OpenTofu, in HCL or in the JSON syntax. */
export function printImportBlocks(imports: readonly ImportBlock[], format: "hcl" | "json"): string {
  const blocks = imports.map(({ address, id }) => ({ to: terraformText(address), id: terraformText(id) }));
  return format === "json"
    ? `${JSON.stringify({ import: blocks }, undefined, 2)}\n`
    : `${blocks.map(({ to, id }) => importBlock(to, id).join("\n")).join("\n\n")}\n`;
}

/** Returns the lines of an import block. @param id the import id, as a template of Terraform's language */
const importBlock = (to: string, id: string): Lines => [
  "import {",
  `  to = ${to}`,
  `  id = ${hclText(id)}`,
  "}",
];

/** Returns live settings as a configuration in Terraform's JSON syntax. */
function printJson(settings: LiveSettings, options: DeclareOptions): string {
  const resource: Record<string, Record<string, ValueObject>> = {};
  const locals: Record<string, object> = {};
  const imports: object[] = [];
  const notes = notesOf(settings, options.emails.isIncluded);
  for (const one of [...foldDeclarations(declarationsOf(settings, options)).values()].flat()) {
    const { type, label, body, importId } = one;
    resource[type] ??= {};
    if ("rows" in one) {
      const forEach = { for_each: `\${local.${one.local}}` };
      locals[one.local] = Object.fromEntries(one.rows);
      resource[type][label] = { ...forEach, ...body };
      imports.push({ ...forEach, to: `${type}.${label}[each.key]`, id: importId });
    } else {
      resource[type][label] = body;
      imports.push({ to: `${type}.${label}`, id: importId });
    }
  }
  const { source } = settings.schema;
  const configuration = {
    ...(notes.length > 0 && {
      "//": notes.flatMap(({ heading, lines }) => [heading, ...lines.map((line) => `- ${line}`)]),
    }),
    terraform: { required_providers: { [source.split("/").at(-1)!]: { source } } },
    ...(options.emails.named && { variable: { [EMAILS_VARIABLE]: { type: "map(string)" } } }),
    ...(Object.keys(locals).length > 0 && { locals }),
    ...(imports.length > 0 && { resource, import: imports }),
  };
  return `${JSON.stringify(configuration, undefined, 2)}\n`;
}

/** The options for writing a Terraform configuration. */
interface ConfigurationOptions extends AdoptOptions {
  readonly format: "hcl" | "json";
}

/**
 * Returns the files of a Terraform configuration that declares live settings. Equal settings always result in equal texts.
 */
export function writeConfiguration(settings: LiveSettings, options: ConfigurationOptions): AdoptedFile[] {
  const { format, allSettings, includeEmails, knownEmails } = options;
  const emails = new Emails(includeEmails, knownEmails);
  const print = format === "hcl" ? printHcl : printJson;
  const text = print(settings, { allSettings, emails });
  return [
    { path: format === "hcl" ? "main.tf" : "main.tf.json", text },
    ...emails.files,
    { path: ".gitignore", text: `${IGNORED.join("\n")}\n` },
  ];
}

const IGNORED = [
  ".terraform/",
  "# E-mail addresses of people.",
  EMAILS_FILE,
  "# States can hold more than the code; keep them where all users reach them.",
  "*.tfstate",
  "*.tfstate.*",
];
