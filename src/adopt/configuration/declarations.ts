import { type Attribute, type Attributes, isObject, type Value, type ValueObject } from "../../engine";
import { once } from "../../schema";
import type { Emails } from "../model/emails";
import {
  type AdoptedContainer,
  type AdoptedObject,
  importIdOf,
  isLeftOut,
  type LiveSettings,
} from "../model/live-settings";
import { escapeUnsafe, terraformText } from "../model/source-text";
import { Names } from "../typescript/names";

/** The maximum length of a label, without the number that makes it unique. */
const LONGEST = 100;

/** Returns a readable label, such as `acme_web_production`, from the path of the container and the name of the object in it. */
export function labelOf(path: string, name: string): string {
  const words =
    `${path} ${name}`
      .normalize("NFKD")
      .toLowerCase()
      .match(/[a-z\d]+/g) ?? [];
  const text = words.join("_").slice(0, LONGEST).replace(/_$/, "");
  return /^[a-z]/.test(text) ? text : `_${text}`;
}

/** Returns a quoted template of HCL. A template that is only one expression becomes a bare expression. */
function quotedTemplate(template: string): string {
  const only = /^\$\{(var\.[a-z]+\["[\w-]+"\]|each\.value\.\w+)\}$/.exec(template)?.[1];
  if (only !== undefined) return only;
  // Quotes inside an interpolation are not escaped, because they are not part of the text.
  return `"${template
    .split(/(\$\{(?:var\.[a-z]+\["[\w-]+"\]|each\.value\.\w+|"[$%#&]+")\})/)
    .map((part, at) => (at % 2 === 1 ? part : escaped(part)))
    .join("")}"`;
}

const escaped = (text: string): string => escapeUnsafe(text.replace(/["\\]/g, "\\$&"), codePoint);

function codePoint(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}

/** Returns a value in HCL on one line. Texts are templates of Terraform's language. */
export function hclText(value: Value): string {
  if (typeof value === "string") return quotedTemplate(value);
  if (Array.isArray(value)) return `[${(value as readonly Value[]).map(hclText).join(", ")}]`;
  if (!isObject(value)) return String(value);
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${key} = ${hclText(one)}`)
    .join(", ")} }`;
}

/**
 * Converts the texts of a value to templates of Terraform's language. Terraform evaluates each template to the original text.
 * Attributes without a value are left out.
 */
export function templatesOf(value: Value): Value {
  if (typeof value === "string") return terraformText(value);
  if (Array.isArray(value)) return (value as readonly Value[]).map(templatesOf);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(entries.map(([key, one]) => [key, templatesOf(one)]));
}

/** A resource to declare, with the import of its live object. */
export interface Declaration {
  readonly type: string;
  readonly label: string;
  /** The declared attributes. Texts are templates of Terraform's language. */
  readonly body: ValueObject;
  /** A template. */
  readonly importId: string;
  /** For an invitation by e-mail: its key in a table, and its import id as a template that reads the address from the row. */
  readonly row?: { readonly key: string; readonly importId: string };
}

/** A template of Terraform's language that reads the address from a row. */
const ROW_EMAIL = "${each.value.email}";

/** Returns the key of an invitation in a table. All characters except ASCII letters, digits and `_.@+-` become hyphens. */
const rowKeyOf = (name: string): string => name.replace(/[^\w.@+-]/g, "-");

export interface DeclareOptions {
  /** Whether to also declare settings that have the service's default. */
  readonly allSettings: boolean;
  readonly emails: Emails;
}

/** Returns the resources to declare, by their containers. */
export function declarationsOf(
  { containers, schema }: LiveSettings,
  { allSettings, emails }: DeclareOptions,
): ReadonlyMap<AdoptedContainer, readonly Declaration[]> {
  const labels = new Map<string, Names>();
  return new Map(
    containers.map((container) => [
      container,
      container.objects
        .filter(({ isDefault }) => allSettings || !isDefault)
        .map((object): Declaration => {
          const { type, attributes: values } = object;
          const email = emails.hidden(values["email"]);
          const body = declared(
            schema.resources[type]!.attributes,
            values,
            allSettings ? [] : object.defaults,
          );
          const label = labelOf(container.path, nameWithin(object, email?.name));
          return {
            type,
            label: once(labels, type, () => new Names()).take([label]),
            body: email === undefined ? body : { ...body, email: email.template },
            importId: importIdOf(container, object, email?.template),
            ...(typeof values["email"] === "string" && {
              row: {
                key: rowKeyOf(email?.name ?? values["email"]),
                importId: importIdOf(container, object, ROW_EMAIL),
              },
            }),
          };
        }),
    ]),
  );
}

/** Returns the attributes that the code declares, with their values. */
const declared = (attributes: Attributes, values: ValueObject, atDefault: readonly string[]): ValueObject =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) => {
      const value = values[name] ?? null;
      return isLeftOut(name, attribute, value, atDefault) ? [] : [[name, declaredValue(attribute, value)]];
    }),
  );

/** Returns the value that code declares for an attribute. The value lacks nested attributes that the code leaves out. */
export function declaredValue({ type }: Attribute, value: Value): Value {
  if (!Array.isArray(value) || !("nested" in type)) {
    const written = templatesOf(value);
    return Array.isArray(written) && type.kind === "set" ? [...written].sort() : written;
  }
  return (value as readonly Value[]).map((one) => (isObject(one) ? declared(type.nested, one, []) : one));
}

/** Returns the end of a label. The end distinguishes the object from other objects of its type in its container. */
function nameWithin({ attributes }: AdoptedObject, hiddenEmail: string | undefined): string {
  const { name, repository_path_pattern: pattern, email } = attributes;
  const known = hiddenEmail ?? email ?? name;
  if (typeof known === "string") return known;
  return typeof pattern === "string" ? pattern.split("/").at(-1) || pattern : "";
}
