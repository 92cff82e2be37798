import { type Attribute, type Attributes, isObject, type Value, type ValueObject } from "../../engine";
import { EMAILS_VARIABLE, type Emails, withoutAddresses } from "../model/emails";
import { type FoldedNote, nameContainers, skippedNotes } from "../model/fold-notes";
import {
  type AdoptedContainer,
  type AdoptedObject,
  isLeftOut,
  type LiveSettings,
} from "../model/live-settings";
import { commentText, escapeUnsafe } from "../model/source-text";
import { terraformText } from "../typescript/code";

/** How many characters a label has at most, but for the number that makes it unique. */
const LONGEST = 100;

/** Labels of resources: readable, unique within their type. */
class Labels {
  readonly #taken = new Set<string>();

  /** Such as `acme_web_production`: from the container's path, and from what names the object in it. */
  of(type: string, path: string, name: string): string {
    const words =
      `${path} ${name}`
        .normalize("NFKD")
        .toLowerCase()
        .match(/[a-z\d]+/g) ?? [];
    const text = words.join("_").slice(0, LONGEST).replace(/_$/, "");
    const label = /^[a-z]/.test(text) ? text : `_${text}`;
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? label : `${label}_${number}`;
      if (this.#taken.has(`${type}.${candidate}`)) continue;
      this.#taken.add(`${type}.${candidate}`);
      return candidate;
    }
  }
}

/** A quoted template of HCL: a bare expression if it is nothing else. */
export function quotedTemplate(template: string): string {
  const only = /^\$\{(var\.[a-z]+\["[\w-]+"\])\}$/.exec(template)?.[1];
  if (only !== undefined) return only;
  // The quotes inside of an interpolation are not part of the text.
  return `"${template
    .split(/(\$\{(?:var\.[a-z]+\["[\w-]+"\]|"[$%#&]+")\})/)
    .map((part, at) => (at % 2 === 1 ? part : escaped(part)))
    .join("")}"`;
}

const escaped = (text: string): string => escapeUnsafe(text.replace(/["\\]/g, "\\$&"), codePoint);

function codePoint(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}

/** A resource to declare, and the import of its live object. */
export interface Declaration {
  readonly type: string;
  readonly label: string;
  /** What is declared. Texts are templates of Terraform's language. */
  readonly body: ValueObject;
  /** A template. */
  readonly importId: string;
}

export interface DeclareOptions {
  /** Also declares settings that are at the service's default. */
  readonly allSettings: boolean;
  readonly emails: Emails;
}

/** The resources to declare of each container. */
export function declarationsOf(
  { containers, schema }: LiveSettings,
  { allSettings, emails }: DeclareOptions,
): ReadonlyMap<AdoptedContainer, readonly Declaration[]> {
  const labels = new Labels();
  return new Map(
    containers.map((container) => [
      container,
      container.objects
        .filter(({ isDefault }) => allSettings || !isDefault)
        .map((object): Declaration => {
          const { type, attributes: values } = object;
          const { attributes } = schema.resources[type]!;
          const email = typeof values["email"] === "string" ? values["email"] : undefined;
          const isHidden = email !== undefined && !emails.isIncluded;
          const body = declared(attributes, values, allSettings ? [] : object.defaults);
          return {
            type,
            label: labels.of(
              type,
              container.path,
              nameWithin(object, isHidden ? emails.nameOf(email) : email),
            ),
            body: isHidden ? { ...body, email: emailTemplate(email, emails) } : body,
            importId: importIdOf(container, object, isHidden ? emailTemplate(email, emails) : undefined),
          };
        }),
    ]),
  );
}

/** The declared attributes, without those that are left out. */
const declared = (attributes: Attributes, values: ValueObject, atDefault: readonly string[]): ValueObject =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) => {
      const value = values[name] ?? null;
      return isLeftOut(name, attribute, value, atDefault) ? [] : [[name, declaredValue(attribute, value)]];
    }),
  );

function declaredValue({ type }: Attribute, value: Value): Value {
  if (typeof value === "string") return terraformText(value);
  if (!Array.isArray(value)) return value;
  const elements = value as readonly Value[];
  if ("nested" in type) return elements.map((one) => (isObject(one) ? declared(type.nested, one, []) : one));
  const texts = elements.map((one) => (typeof one === "string" ? terraformText(one) : one));
  return type.kind === "set" ? [...texts].sort() : texts;
}

/** What tells an object apart from others of its type and container, for its label. */
function nameWithin({ attributes }: AdoptedObject, email: string | undefined): string {
  const { name, repository_path_pattern: pattern } = attributes;
  if (email !== undefined) return email;
  if (typeof name === "string") return name;
  return typeof pattern === "string" ? pattern.split("/").at(-1) || pattern : "";
}

const emailTemplate = (email: string, emails: Emails): string =>
  `\${var.${EMAILS_VARIABLE}["${emails.nameOf(email)}"]}`;

/** An import id with a path in place of the numeric id, which import takes too. */
function importIdOf({ path, id }: AdoptedContainer, object: AdoptedObject, key: string | undefined): string {
  const rest = object.id.slice(String(id).length);
  // Digits alone would be read as an id.
  const place = /^[\w.-]+(?:\/[\w.-]+)*$/.test(path) && !/^\d+$/.test(path) ? path : String(id);
  return `${place}${key === undefined ? terraformText(rest) : `:${key}`}`;
}

/** What is skipped, a line for each reason. */
export const skippedLines = (settings: LiveSettings): string[] =>
  skippedNotes(settings).map(({ containers, why }) =>
    commentText(
      `The ${nameContainers(containers)} ${containers.length === 1 ? "is" : "are"} not declared: ${why}.`,
    ),
  );

/** What is live and not declared, without its container. */
export function undeclarableLine({ what, why }: FoldedNote, { isIncluded }: Emails): string {
  const note = `Not declared: ${what}: ${why}.`;
  return commentText(isIncluded ? note : withoutAddresses(note));
}

/** The same after the names of its containers. */
export const namedLine = (note: FoldedNote, emails: Emails): string =>
  `${commentText(nameContainers(note.containers))}: ${undeclarableLine(note, emails)}`;
