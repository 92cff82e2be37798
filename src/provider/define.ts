import type { Client } from "../api";
import type * as framework from "../framework";
import type { Collection as AnyCollection } from "../framework";
import { type Attributes, type Enumeration, required, subsetOf } from "../schema";
import type { AccessDeclaration } from "./access-declaration";

// This file binds the types of the framework to the client and the containers of this API.

/** The strictness rule for a boolean setting whose value `true` limits access. The loosest value comes first. */
export const LIMITS_IF_TRUE = { fromLoosest: [false, null, true] };

/** The kinds of containers that a resource can belong to. */
export type ContainerKind = "project" | "group";

export type Found<A extends Attributes> = framework.Found<A, ContainerKind>;
export type Scope = framework.Scope<Client>;
export type DataScope = framework.DataScope<Client, ContainerKind>;
export type Collection<K, T, Whole extends T = T> = AnyCollection<K, T, Whole, Client>;
export type ResourceDefinition<A extends Attributes = Attributes> = framework.ResourceDefinition<
  A,
  Client,
  ContainerKind
> & {
  /**
   * The access that the resource's objects grant. Every resource of this provider must declare this access, even if its
   * objects grant no access.
   */
  readonly access: AccessDeclaration<A>;
};
export type DataSourceDefinition<A extends Attributes = Attributes> = framework.DataSourceDefinition<
  A,
  Client,
  ContainerKind
>;

/** Returns the definition of a resource. TypeScript infers the types of the resource's attributes. */
export const defineResource = <A extends Attributes>(
  definition: ResourceDefinition<A>,
): ResourceDefinition<A> => definition;

export const defineDataSource = <A extends Attributes>(
  definition: DataSourceDefinition<A>,
): DataSourceDefinition<A> => definition;

const containerAttribute = (kind: ContainerKind, whose: string, example: string) =>
  required.reference(kind, {
    description:
      `The ${kind} ${whose}, by its numeric id or its full path (such as \`${example}\`). ` +
      "Both are equivalent.",
    replaces: true,
  });

/** Returns the attribute for the project that a resource belongs to. */
export const projectAttribute = (whose: string) => containerAttribute("project", whose, "acme/web-shop");

/** Returns the attribute for the group that a resource belongs to. */
export const groupAttribute = (whose: string) => containerAttribute("group", whose, "acme/platform");

/**
 * Returns whether a text has the given form and is a time that exists in the calendar (UTC). A check with only `Date`
 * is not enough, because `Date` reads 31 February as a day in March.
 */
export function isTime(text: string, form: RegExp): boolean {
  const time = new Date(text);
  return form.test(text) && !Number.isNaN(time.valueOf()) && time.toISOString().startsWith(text.slice(0, 19));
}

/** Returns an enumeration whose values are words. The title of each value is the word itself. */
export const wordsOf = <T extends string>(
  name: string,
  description: string,
  ...words: readonly T[]
): Enumeration<T> => ({
  name,
  description,
  members: words.map((value) => ({ value, name: value.toUpperCase().replaceAll("-", "_"), title: value })),
});

/** Returns the `values` and the `check` of an attribute that accepts only the words of an enumeration. */
export const eitherOf = (values: Enumeration<string>) => ({
  values,
  check: (word: string): string | undefined => {
    const words = values.members.map(({ value }) => value);
    return words.includes(word)
      ? undefined
      : `"${word}" is not a valid value. Use ${words.map((one) => `"${one}"`).join(" or ")}.`;
  },
});

/** All access levels (specification, "Invitation access levels", "Valid access levels"). */
export const ACCESS_LEVELS: Enumeration<number> = {
  name: "AccessLevel",
  description: "The access levels of members of projects and groups.",
  members: [
    { value: 0, name: "NO_ACCESS", title: "No access" },
    { value: 5, name: "MINIMAL_ACCESS", title: "Minimal access" },
    { value: 10, name: "GUEST", title: "Guest" },
    { value: 15, name: "PLANNER", title: "Planner" },
    { value: 20, name: "REPORTER", title: "Reporter" },
    { value: 25, name: "SECURITY_MANAGER", title: "Security Manager" },
    { value: 30, name: "DEVELOPER", title: "Developer" },
    { value: 40, name: "MAINTAINER", title: "Maintainer" },
    { value: 50, name: "OWNER", title: "Owner" },
    { value: 60, name: "ADMIN", title: "Admin" },
  ],
};

/** The levels allowed for deployments and approvals (specification, "Protected environment"). */
export const DEPLOY_LEVELS = subsetOf(ACCESS_LEVELS, 30, 40, 60);

/** The levels allowed for invitations (specification, "Invitation access levels"). */
export const INVITATION_LEVELS = subsetOf(ACCESS_LEVELS, 0, 5, 10, 15, 20, 25, 30, 40, 50);

/**
 * The values that say whether an entry for a group also covers inherited members (specification, "Group
 * inheritance types").
 */
export const GROUP_INHERITANCE_TYPES: Enumeration<number> = {
  name: "GroupInheritanceType",
  description: "Which members of a group an element applies to.",
  members: [
    { value: 0, name: "DIRECT", title: "direct members" },
    { value: 1, name: "INHERITED", title: "inherited members too" },
  ],
};
