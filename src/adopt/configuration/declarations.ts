import { type Attribute, type Attributes, isObject, type Value, type ValueObject } from "../../engine";
import { EMAILS_VARIABLE, type Emails } from "../model/emails";
import { isLeftOut } from "../model/left-out";
import type { AdoptedContainer, AdoptedObject, LiveSettings } from "../model/live-settings";
import { Labels } from "./labels";
import { templateText } from "./text";

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
  if (typeof value === "string") return templateText(value);
  if (!Array.isArray(value)) return value;
  const elements = value as readonly Value[];
  if ("nested" in type) return elements.map((one) => (isObject(one) ? declared(type.nested, one, []) : one));
  const texts = elements.map((one) => (typeof one === "string" ? templateText(one) : one));
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
  return `${templateText(path)}${key === undefined ? templateText(rest) : `:${key}`}`;
}
