import type { ResourceDefinition } from "../framework";

/** The level of an administrator of the instance, above all roles. */
export const ADMINISTRATOR = 60;

const ROLES: Readonly<Record<number, string>> = {
  40: "Maintainer",
  50: "Owner",
  [ADMINISTRATOR]: "administrator of the instance",
};

/** The role that changing an object takes by the specification, as a level. */
export const neededLevel = ({ container, writtenFrom }: ResourceDefinition): number =>
  writtenFrom ?? (container === "group" ? 50 : 40);

/** The same as a word. */
export const neededRole = (definition: ResourceDefinition): string => ROLES[neededLevel(definition)]!;

/** Who may change an object, in a sentence: said when the service refuses. */
export const writersOf = (definition: ResourceDefinition): string =>
  `Changing it takes the role ${neededRole(definition)} in the ${definition.container}.`;
