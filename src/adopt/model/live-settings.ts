import {
  type Attribute,
  type LiveContainer,
  type LiveListing,
  type LiveObject,
  type ProviderSchema,
  sameValue,
  type Value,
  type ValueObject,
} from "../../engine";
import { isUnicode, terraformText } from "./source-text";

/** The settings of live projects and groups, from which an adoption writes an app or a configuration. */
export interface LiveSettings {
  readonly schema: ProviderSchema;
  /** The containers, sorted by path. */
  readonly containers: readonly AdoptedContainer[];
  /** The selected containers that an adoption leaves out, such as archived projects, sorted by path. */
  readonly skipped: readonly SkippedContainer[];
}

/** A project or group with its live objects. */
export interface AdoptedContainer extends Pick<LiveContainer, "kind" | "id" | "path"> {
  /** The objects, sorted by type and id. */
  readonly objects: readonly AdoptedObject[];
  /** The objects and settings that no resource can declare, and the settings that this token can't read. */
  readonly undeclarable: readonly Undeclarable[];
}

/** One live object. */
export interface AdoptedObject extends Pick<LiveObject, "type" | "id" | "defaults" | "isDefault"> {
  /** All attributes as an import returns them. References are full paths. */
  readonly attributes: ValueObject;
}

export interface SkippedContainer extends Pick<LiveContainer, "kind" | "path"> {
  /** The reason why an adoption leaves out the container, as a clause such as `it is archived`. */
  readonly why: string;
}

export interface Undeclarable {
  /** The object or setting as a noun phrase, such as `protected environment "production"`. The phrase can contain an e-mail address. */
  readonly what: string;
  /** The reason why no resource can declare the setting, as a clause. The clause can contain an e-mail address. */
  readonly why: string;
}

/** The choice of the live settings to adopt, and the form of the code. */
export interface AdoptOptions {
  /** Whether to also declare settings that have the service's default. */
  readonly allSettings: boolean;
  /** Whether the code contains the e-mail addresses of invitations. If false, a file that git ignores contains the addresses. */
  readonly includeEmails: boolean;
  /** The e-mail addresses of an earlier adoption, by their names in its code. */
  readonly knownEmails?: Readonly<Record<string, string>>;
}

/** A file to write. */
export interface AdoptedFile {
  /** The path relative to the folder of the app, with slashes. */
  readonly path: string;
  readonly text: string;
}

/**
 * Returns whether the code leaves out an attribute. `atDefault` lists the attributes whose live value is the service's default.
 */
export function isLeftOut(
  name: string,
  { presence, text: { default: filledIn } }: Attribute,
  value: Value,
  atDefault: readonly string[],
): boolean {
  if (presence === "computed" || value === null) return true;
  // An empty set is also declared if its resource owns the whole set. Without the declaration, Steward would not manage the set.
  if (presence === "required" || presence === "managed") return false;
  return atDefault.includes(name) || (filledIn !== undefined && sameValue(value, filledIn as Value));
}

/**
 * Returns the import id of an object, as a template of Terraform's language. The id names the container by path. An import also
 * accepts the container's number.
 *
 * @param key the key to use instead of the object's key
 */
export function importIdOf(
  { path, id }: AdoptedContainer,
  object: AdoptedObject,
  key = terraformText(object.id.slice(`${id}:`.length)),
): string {
  const place = isPath(path) ? path : String(id);
  return key === "" ? place : `${place}:${key}`;
}

/** Returns whether an import reads a text as a path. A text of digits is a number, which an import reads as an id. */
const isPath = (text: string): boolean => /^[\w.-]+(?:\/[\w.-]+)*$/.test(text) && !/^\d+$/.test(text);

/** Converts a listing of live objects to the settings that an adoption writes. */
export function fromListing(listing: LiveListing, schema: ProviderSchema): LiveSettings {
  const { containers, archived, objects, failures } = listing;
  const byContainer = new Map<LiveContainer, { objects: LiveObject[]; undeclarable: Undeclarable[] }>();
  for (const container of containers) byContainer.set(container, { objects: [], undeclarable: [] });
  for (const object of objects) byContainer.get(object.container)!.objects.push(object);
  for (const { type, container, isRefused, diagnostics } of failures) {
    const why = isRefused
      ? "this token may not list them"
      : diagnostics.map(({ detail }) => clause(detail)).join("; ");
    byContainer.get(container)!.undeclarable.push({ what: `all objects of type ${type}`, why });
  }
  return {
    schema,
    containers: containers.map((container) => adopted(container, byContainer.get(container)!)),
    skipped: archived.map(({ kind, path }) => ({ kind, path, why: "it is archived" })),
  };
}

const adopted = (
  { kind, id, path }: LiveContainer,
  { objects, undeclarable }: { readonly objects: LiveObject[]; readonly undeclarable: Undeclarable[] },
): AdoptedContainer => ({
  kind,
  id,
  path,
  objects: objects
    .filter((object) => whyNot(object) === undefined)
    .map(({ type, id: object, state, defaults, isDefault, isAccessRelevant = false }) => ({
      type,
      id: object,
      attributes: state.attributes,
      defaults: isAccessRelevant ? [] : defaults,
      isDefault: isDefault && !isAccessRelevant,
    })),
  undeclarable: [
    ...undeclarable,
    ...objects.flatMap((object) => {
      const why = whyNot(object);
      return why === undefined ? [] : [{ what: describe(object), why }];
    }),
    ...objects.flatMap((object) =>
      Object.entries(object.undeclarableSettings ?? {}).map(([name, why]) => ({
        what: `${name} of ${describe(object)}`,
        why,
      })),
    ),
  ],
});

/** Returns the reason why an object can't be declared, as a clause; undefined if it can be declared. */
const whyNot = ({ undeclarable, state }: LiveObject): string | undefined =>
  textsOf(state.attributes).every(isUnicode)
    ? undeclarable && clause(undeclarable)
    : "it contains text that is not valid Unicode";

function textsOf(value: Value): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** Returns a noun phrase for a live object, such as `protected environment "production"`. */
function describe({ type, label }: LiveObject): string {
  const words = type.slice(type.indexOf("_") + 1).replaceAll("_", " ");
  return label === undefined ? words : `${words} ${JSON.stringify(label)}`;
}

const clause = (sentences: string): string => sentences.replace(/\.$/, "");
