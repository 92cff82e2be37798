import { type Diagnostic, error } from "../../diagnostics";
import type { Attributes } from "../../schema";
import type { Found, ResourceDefinition, Scope } from "../definition/definition";

/**
 * Live names that are not in Unicode normalization form C, by their normalized form. A configuration can't contain such a name,
 * because its texts are normalized.
 */
export type UnnormalizedNames = ReadonlyMap<string, string>;

const normalized = (text: string): string => text.normalize("NFC");

export const isNormalized = (text: string): boolean => text === normalized(text);

/** Returns whether a text has more than one Unicode form. The result is wrong for a few rare letters. */
export const hasOtherForms = (text: string): boolean => text !== text.normalize("NFD");

const unnormalized = (names: readonly string[]): UnnormalizedNames =>
  new Map(names.filter((name) => !isNormalized(name)).map((name) => [normalized(name), name]));

/** Returns the name by which people know a declaration or a live object in its container: its `unique` text or its key. */
export const nameOf = (definition: ResourceDefinition, object: Parameters<NameOf>[0]): string =>
  (definition.key?.unique ?? definition.key?.of)?.(object) ?? "";

type NameOf = NonNullable<ResourceDefinition["key"]>["of"];

/** Returns the names in a list that are not normalized, by their normalized form. */
export const unnormalizedOf = (
  definition: ResourceDefinition,
  listed: readonly Found<Attributes>[],
): UnnormalizedNames => unnormalized(listed.map((found) => nameOf(definition, found)));

/**
 * Returns the live name that differs from `name` only by normalization; undefined if `otherNames` returns no such live name.
 * The user may have meant this live name. @throws the client's errors
 */
export async function unlistedName(
  { key }: ResourceDefinition,
  scope: Scope,
  name: string,
): Promise<string | undefined> {
  if (key?.otherNames === undefined || !hasOtherForms(name)) return undefined;
  const names = await key.otherNames(scope);
  return names.includes(name) ? undefined : unnormalized(names).get(name);
}

/** Returns the error of a plan or import whose name differs from the live object's name only by normalization. */
export const liveNameNotNormalized = ({ type }: ResourceDefinition, live: string): Diagnostic =>
  error({
    code: "live_name_not_normalized",
    summary: "Live name can't be declared",
    detail: `The service has the name ${escaped(live)}, but a configuration can contain only ${escaped(normalized(live))}: Terraform converts all strings to the Unicode form NFC. The two names look the same, but are different. A ${type.replaceAll("_", " ")} with the declared name would not change the live object. Rename or delete the live object, or remove the declaration.`,
    cause: `${type} ${live}`,
  });

/** Returns a text with escaped characters outside ASCII, so that two names that look equal show their difference. */
const escaped = (text: string): string =>
  `"${[...text].map((one) => (/[ -~]/.test(one) ? one : `\\u{${one.codePointAt(0)!.toString(16)}}`)).join("")}"`;
